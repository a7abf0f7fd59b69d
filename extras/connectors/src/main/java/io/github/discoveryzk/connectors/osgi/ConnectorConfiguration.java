// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.spi.ConfigurationReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The configuration of connectors, with the default in place of each value that cannot be used. A value that decides who is
 * trusted has no such replacement: if it cannot be used, connectors stay off.
 *
 * @param settings how connectors work; empty if they stay off
 * @param problems the problems of the configuration, one sentence each; they hold neither the shared key nor a password
 */
record ConnectorConfiguration(Optional<ConnectorSettings> settings, List<String> problems) {

    static final String PID = "io.github.discoveryzk.connectors";

    private static final long DEFAULT_TIMEOUT_SECONDS = 120;
    private static final long MAX_TIMEOUT_SECONDS = 604_800;
    private static final long PINGS_BEFORE_TIMEOUT = 4;

    ConnectorConfiguration {
        problems = List.copyOf(problems);
    }

    /** Reads raw properties, which may hold any value: they come from files written by hand. */
    static ConnectorConfiguration of(Map<String, ?> configuration) {
        return new Reader(configuration).read();
    }

    /** Shows no shared key. */
    @Override
    public String toString() {
        return "ConnectorConfiguration[on=" + settings.isPresent() + ", problems=" + problems + "]";
    }

    private static final class Reader {
        /** All between the scheme, if any, and the last @ of an entry. Only http and https are schemes: else it may be a user. */
        private static final Pattern USER =
                Pattern.compile("^((?:https?:/*)?).*@", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

        private final Map<String, ?> configuration;
        private final ConfigurationReader values;
        private final List<String> problems = new ArrayList<>();
        private boolean off;

        private Reader(Map<String, ?> configuration) {
            this.configuration = configuration;
            values = new ConfigurationReader(PID, ConnectorConfig.class, configuration);
        }

        private ConnectorConfiguration read() {
            List<List<URI>> outgoing = outgoing();
            AllowList allowed = AllowList.of(values.list("topologyConnectorWhitelist"));
            problems.addAll(allowed.problems());
            long interval = values.number("connectorPingInterval", 1, 86_400);
            Timing timing = new Timing(
                    Duration.ofSeconds(interval), Duration.ofSeconds(timeout(interval)), Timing.DEFAULT.factor());
            Transfer transfer = new Transfer(
                    Duration.ofSeconds(values.number("socketConnectTimeout", 1, 3_600)),
                    Duration.ofSeconds(values.number("soTimeout", 1, 3_600)),
                    values.flag("gzipConnectorRequestsEnabled", false));
            ConnectorSettings settings = new ConnectorSettings(
                    outgoing, allowed, trust(), timing, transfer, values.flag("autoStopLocalLoopEnabled", false));
            problems.addAll(values.problems());
            return new ConnectorConfiguration(off ? Optional.empty() : Optional.of(settings), problems);
        }

        private long timeout(long interval) {
            long timeout = values.number("connectorPingTimeout", 1, MAX_TIMEOUT_SECONDS);
            if (timeout > interval) {
                return timeout;
            }
            // An announcement whose timeout is not longer than the interval would expire before each ping.
            long otherwise = interval < DEFAULT_TIMEOUT_SECONDS
                    ? DEFAULT_TIMEOUT_SECONDS
                    : Math.min(PINGS_BEFORE_TIMEOUT * interval, MAX_TIMEOUT_SECONDS);
            if (configuration.get("connectorPingTimeout") != null) {
                String why = "it must be longer than the ping interval of " + interval;
                values.report("connectorPingTimeout", timeout, why, otherwise);
            }
            return otherwise;
        }

        private Optional<Trust> trust() {
            boolean signed = values.flag("hmacEnabled", true);
            boolean encrypted = values.flag("enableEncryption", true);
            if (!signed && encrypted) {
                stayOff("enableEncryption is true and hmacEnabled is not: only signed messages can be encrypted");
            }
            if (!signed) {
                return Optional.empty();
            }
            String secret = values.secret("sharedKey");
            if (secret.isBlank()) {
                stayOff("hmacEnabled is true and sharedKey is empty: messages cannot be signed without it");
                return Optional.empty();
            }
            Duration lifetime = Duration.ofMillis(values.number("hmacSharedKeyTTL", 10_000, 31_622_400_000L));
            return Optional.of(new Trust(new SharedKey(secret, lifetime), encrypted));
        }

        private List<List<URI>> outgoing() {
            List<List<URI>> outgoing = new ArrayList<>();
            for (String entry : values.list("topologyConnectorUrls")) {
                try {
                    List<URI> connector = Stream.of(entry.strip().split("\\s+"))
                            .map(Reader::url)
                            .toList();
                    if (outgoing.contains(connector)) {
                        throw new IllegalArgumentException("it is there twice");
                    }
                    outgoing.add(connector);
                } catch (IllegalArgumentException e) {
                    problems.add("The entry '" + withoutUser(entry) + "' of topologyConnectorUrls in the configuration "
                            + PID + " is ignored: " + e.getMessage() + ".");
                }
            }
            return outgoing;
        }

        private static URI url(String text) {
            URI url;
            try {
                url = new URI(text);
            } catch (URISyntaxException e) {
                // The message of the exception repeats the text, which may have a password.
                throw new IllegalArgumentException("it is not a URL", e);
            }
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            if (!scheme.equals("http") && !scheme.equals("https")) {
                throw new IllegalArgumentException("a URL of a connector begins with http:// or https://");
            }
            if (url.getHost() == null || url.getPort() == 0 || url.getPort() > 65_535) {
                throw new IllegalArgumentException("host and port cannot be used");
            }
            // What identifies the sender is appended to the URL.
            if (url.getRawQuery() != null || url.getRawFragment() != null) {
                throw new IllegalArgumentException("a URL of a connector has neither ? nor #");
            }
            if (url.getRawPath().contains("@")) {
                throw new IllegalArgumentException("its path has an @; in user and password write %2F for a slash");
            }
            if (url.getRawPath().isEmpty() || url.getRawPath().endsWith("/")) {
                throw new IllegalArgumentException(
                        "the path of a connector ends with a name, as in /libs/sling/topology/connector");
            }
            return url;
        }

        /** Leaves out all that may be a user with a password: a text that is not a URL tells neither where it begins nor where it ends. */
        private static String withoutUser(String urls) {
            return USER.matcher(urls).replaceFirst("$1***@");
        }

        private void stayOff(String why) {
            off = true;
            problems.add("Connectors stay off because of the configuration " + PID + ": " + why + ".");
        }
    }
}
