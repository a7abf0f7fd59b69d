// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import io.github.discoveryzk.connectors.ConnectorSettings;
import io.github.discoveryzk.connectors.client.Transport.Transfer;
import io.github.discoveryzk.connectors.registry.Timing;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.Trust;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
        private final List<String> problems = new ArrayList<>();
        private boolean off;

        private Reader(Map<String, ?> configuration) {
            this.configuration = configuration;
        }

        private ConnectorConfiguration read() {
            List<List<URI>> outgoing = outgoing();
            AllowList allowed = AllowList.of(texts("topologyConnectorWhitelist", List.of("localhost", "127.0.0.1")));
            problems.addAll(allowed.problems());
            long interval = number("connectorPingInterval", 30, 1, 86_400);
            Timing timing = Timing.of(Duration.ofSeconds(interval), Duration.ofSeconds(timeout(interval)));
            Transfer transfer = new Transfer(
                    Duration.ofSeconds(number("socketConnectTimeout", 10, 1, 3_600)),
                    Duration.ofSeconds(number("soTimeout", 10, 1, 3_600)),
                    flag("gzipConnectorRequestsEnabled", false));
            ConnectorSettings settings = new ConnectorSettings(
                    outgoing, allowed, trust(), timing, transfer, flag("autoStopLocalLoopEnabled", false));
            return new ConnectorConfiguration(off ? Optional.empty() : Optional.of(settings), problems);
        }

        private long timeout(long interval) {
            // An announcement whose timeout is not longer than the interval would expire before each ping.
            long otherwise = interval < DEFAULT_TIMEOUT_SECONDS
                    ? DEFAULT_TIMEOUT_SECONDS
                    : Math.min(PINGS_BEFORE_TIMEOUT * interval, MAX_TIMEOUT_SECONDS);
            long timeout = number("connectorPingTimeout", otherwise, 1, MAX_TIMEOUT_SECONDS);
            if (timeout <= interval) {
                problem(
                        "connectorPingTimeout",
                        timeout,
                        "it must be longer than the ping interval of " + interval,
                        otherwise);
                return otherwise;
            }
            return timeout;
        }

        private Optional<Trust> trust() {
            boolean signed = flag("hmacEnabled", true);
            boolean encrypted = flag("enableEncryption", true);
            if (!signed && encrypted) {
                stayOff("enableEncryption is true and hmacEnabled is not: only signed messages can be encrypted");
            }
            if (off || !signed) {
                return Optional.empty();
            }
            Object key = configuration.get("sharedKey");
            String secret = key instanceof String || key instanceof Number ? key.toString() : "";
            if (secret.isBlank()) {
                stayOff(
                        key == null || key instanceof String
                                ? "hmacEnabled is true and sharedKey is empty: messages cannot be signed without it"
                                : "hmacEnabled is true and sharedKey is not a text");
                return Optional.empty();
            }
            Duration lifetime = Duration.ofMillis(number("hmacSharedKeyTTL", 14_400_000, 10_000, 31_622_400_000L));
            return Optional.of(new Trust(new SharedKey(secret, lifetime), encrypted));
        }

        private List<List<URI>> outgoing() {
            List<List<URI>> outgoing = new ArrayList<>();
            for (String entry : texts("topologyConnectorUrls", List.of())) {
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

        /** Returns the texts of an array, a collection, or a string with commas; blank ones are omitted. */
        private List<String> texts(String key, List<String> otherwise) {
            Object value = configuration.get(key);
            if (value == null) {
                return otherwise;
            }
            Stream<?> texts;
            if (value instanceof String text) {
                texts = Stream.of(text.split(","));
            } else if (value instanceof Object[] many) {
                texts = Stream.of(many);
            } else if (value instanceof Collection<?> many) {
                texts = many.stream();
            } else {
                problem(
                        key,
                        value,
                        "it is not a list of texts",
                        otherwise.isEmpty() ? "" : String.join(",", otherwise));
                return otherwise;
            }
            return texts.filter(Objects::nonNull)
                    .map(each -> each.toString().strip())
                    .filter(each -> !each.isEmpty())
                    .collect(Collectors.toList());
        }

        private long number(String key, long otherwise, long least, long most) {
            Object value = configuration.get(key);
            if (value == null) {
                return otherwise;
            }
            try {
                long number = Long.parseLong(value.toString().strip());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below.
            }
            problem(key, value, "it must be a whole number from " + least + " to " + most, otherwise);
            return otherwise;
        }

        /**
         * Returns a choice that is off by default.
         *
         * @param trust whether it decides who is trusted: then connectors stay off if it cannot be used
         */
        private boolean flag(String key, boolean trust) {
            Object value = configuration.get(key);
            String text = value == null ? "false" : value.toString().strip().toLowerCase(Locale.ROOT);
            if (!text.equals("true") && !text.equals("false")) {
                if (trust) {
                    stayOff("the value '" + shown(value) + "' of " + key + " is neither true nor false");
                } else {
                    problem(key, value, "it is neither true nor false", false);
                }
            }
            return text.equals("true");
        }

        private void stayOff(String why) {
            off = true;
            problems.add("Connectors stay off because of the configuration " + PID + ": " + why + ".");
        }

        private void problem(String key, Object value, String why, Object instead) {
            problems.add("The value '" + shown(value) + "' of " + key + " in the configuration " + PID
                    + " cannot be used: " + why + ". '" + instead + "' is used instead.");
        }

        private static Object shown(Object value) {
            return value instanceof Object[] many ? Arrays.toString(many) : value;
        }
    }
}
