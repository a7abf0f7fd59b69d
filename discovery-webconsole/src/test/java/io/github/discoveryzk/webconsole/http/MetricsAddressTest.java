// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.webconsole.html.Addresses;
import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.Reports;
import io.github.discoveryzk.webconsole.testing.Sent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics, in both formats. */
class MetricsAddressTest {

    private final Sent sent = new Sent();
    private Reply reply;

    private String send(String method, Reporter reporter) {
        reply = new Router(List::of).answer(sent.request(method, Addresses.METRICS), reporter, null);
        return new String(reply.content(), StandardCharsets.UTF_8);
    }

    private String get() {
        return send("GET", new AskedReporter(Reports.settled(3)));
    }

    @Test
    void prometheusReadsItsOwnFormat() {
        assertThat(get())
                .isEqualTo(
                        """
                        # TYPE discovery_members gauge
                        # HELP discovery_members members of the \\\\ view
                        discovery_members 2.0
                        # TYPE discovery_events_total counter
                        # HELP discovery_events_total events
                        discovery_events_total{type="a\\"b\\nc"} 3.0
                        # TYPE discovery_changing_seconds histogram
                        # HELP discovery_changing_seconds time
                        discovery_changing_seconds_bucket{le="0.5"} 1.0
                        discovery_changing_seconds_bucket{le="+Inf"} 2.0
                        discovery_changing_seconds_sum 7.5
                        discovery_changing_seconds_count 2.0
                        """);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers())
                .containsEntry("Content-Type", "text/plain;version=0.0.4;charset=utf-8")
                .containsEntry("Cache-Control", "no-store");
    }

    @Test
    void whoAcceptsOpenMetricsGetsIt() {
        sent.headers.put(
                "Accept", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
        assertThat(get())
                .contains(
                        "# TYPE discovery_events counter\n",
                        "# HELP discovery_events events\n",
                        "discovery_events_total{")
                .endsWith("\n# EOF\n");
        assertThat(reply.headers())
                .containsEntry("Content-Type", "application/openmetrics-text;version=1.0.0;charset=utf-8");
    }

    @Test
    void otherMethodsAndAnInactiveServiceAreRefused() {
        assertThat(send("POST", new AskedReporter(Reports.settled(3)))).contains("GET, HEAD");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(send("GET", null)).contains("not active");
        assertThat(reply.status()).isEqualTo(503);
    }
}
