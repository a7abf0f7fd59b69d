// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.Trust;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of connectors, changed one by one from those of a default configuration. */
record OurSettings(
        List<String> urls, List<String> allowed, Optional<Trust> trust, int interval, int timeout, boolean gzip) {

    static final OurSettings DEFAULT =
            new OurSettings(List.of(), List.of("127.0.0.1"), Optional.empty(), 30, 120, false);

    /** Opens a connector to each of these URLs. */
    OurSettings urls(String... to) {
        return new OurSettings(List.of(to), allowed, trust, interval, timeout, gzip);
    }

    OurSettings allowed(String... entries) {
        return new OurSettings(urls, List.of(entries), trust, interval, timeout, gzip);
    }

    OurSettings trust(Optional<Trust> other) {
        return new OurSettings(urls, allowed, other, interval, timeout, gzip);
    }

    OurSettings gzip(boolean other) {
        return new OurSettings(urls, allowed, trust, interval, timeout, other);
    }

    /** Pings in that interval, and keeps announcements that long, both in seconds. */
    OurSettings times(int otherInterval, int otherTimeout) {
        return new OurSettings(urls, allowed, trust, otherInterval, otherTimeout, gzip);
    }

    ConnectorSettings settings() {
        ConnectorSettings otherwise = ConnectorSettings.DEFAULT;
        return new ConnectorSettings(
                urls.stream().map(url -> List.of(URI.create(url))).toList(),
                AllowList.of(allowed),
                trust,
                new Timing(Duration.ofSeconds(interval), Duration.ofSeconds(timeout), Timing.DEFAULT.factor()),
                new Transfer(
                        otherwise.transfer().connectTimeout(),
                        otherwise.transfer().exchangeTimeout(),
                        gzip),
                otherwise.autoStop());
    }
}
