// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.message;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.Encryption;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.testing.fuzz.Fuzz;
import io.github.discoveryzk.testing.fuzz.Mutations;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random mutations of valid requests get a documented status, and change nothing that the owner of the key did not sign. */
class EndpointFuzzTest {

    private static final long NOW = 1_767_225_600_000L;
    private static final WireLimits LIMITS = new WireLimits(50_000, 8, 30, 500_000);
    private static final AnnouncementCodec CODEC = new AnnouncementCodec(LIMITS);
    private static final SharedKey KEY = new SharedKey("s3cret", Duration.ofHours(4));
    private static final List<String> METHODS = List.of("PUT", "PUT", "PUT", "DELETE", "DELETE", "GET", "TRACE", "");

    private static final String PING = CODEC.write(message(single("x", single("y"))));

    private final Map<Integer, Integer> statuses = new TreeMap<>();

    /** An endpoint with what is behind it. */
    private static final class Tested {
        private final Time time = new Time(() -> NOW, () -> NOW);
        private final AnnouncementRegistry registry;
        private final ConnectorEndpoint endpoint;

        Tested(Optional<Trust> trust) {
            ConnectorSettings settings = new ConnectorSettings(
                    List.of(), AllowList.of(List.of("127.0.0.1")), trust, Timing.DEFAULT, Transfer.DEFAULT, false);
            registry = new AnnouncementRegistry("b1", "host:80", settings, time, () -> {}, 1 << 24);
            registry.showLocal(cluster("b", "b1"), () -> true);
            endpoint = new ConnectorEndpoint(settings, registry, time, LIMITS, InetAddress::getHostAddress);
        }

        int status(Sent request) {
            return endpoint.handle(request.request()).status();
        }
    }

    /** Thrown where a request was refused as it should be. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(int status) {
            super("status " + status);
        }
    }

    private void play(int runs, Fuzz.Target target) {
        new Fuzz<>(Refused.class, "status [0-9]+", Long.MAX_VALUE).play(runs, target);
        if (Long.getLong("discovery.fuzz.seed") == null) {
            assertThat(statuses).as("statuses").containsKeys(200, 404, 405);
        }
    }

    /** Returns a request that is as its sender wrote it, in signed form if there is a key. */
    private static Sent valid(Random random, Optional<Trust> trust) throws InvalidMessage {
        boolean delete = random.nextInt(4) == 0;
        boolean gzip = random.nextBoolean();
        Optional<String> nonce = delete && random.nextBoolean() ? Optional.of("n-1") : Optional.empty();
        String text = trust.filter(Trust::encrypted).isPresent()
                ? new Encryption("s3cret", new SecureRandom()).encrypt(PING)
                : PING;
        Sent sent = delete ? Sent.delete("x") : Sent.put("x", MessageBody.bytes(text, gzip));
        sent.with("Content-Type", MessageBody.CONTENT_TYPE).with("Accept-Encoding", "gzip");
        if (gzip) {
            sent.with("Content-Encoding", "gzip");
        }
        nonce.ifPresent(value -> sent.with(TrustHeaders.NONCE, value));
        if (trust.isPresent()) {
            sent.signed(KEY, delete ? SharedKey.deletion(nonce) : text, NOW);
        }
        return sent;
    }

    /** Changes one thing, or several. */
    private static void mutate(Sent sent, Random random) throws IOException {
        do {
            switch (random.nextInt(8)) {
                case 0 -> sent.method = METHODS.get(random.nextInt(METHODS.size()));
                case 1 -> sent.pathInfo = Mutations.mutated(sent.pathInfo, random);
                case 2 -> sent.context = Mutations.mutated(sent.context, random);
                case 3 -> sent.length = random.nextBoolean() ? random.nextLong() : random.nextInt(100);
                case 4 -> {
                    List<String> names = List.copyOf(sent.headers.keySet());
                    String name = names.get(random.nextInt(names.size()));
                    sent.with(name, Mutations.mutated(sent.headers.get(name), random));
                }
                case 5 -> {
                    if (sent.headers.size() > 1) {
                        sent.headers.remove(List.copyOf(sent.headers.keySet()).get(0));
                    }
                }
                default -> {
                    byte[] bytes = sent.body.readAllBytes();
                    byte[] some = bytes.length == 0 ? PING.getBytes(StandardCharsets.UTF_8) : bytes;
                    sent.body = new ByteArrayInputStream(Mutations.mutated(some, random));
                }
            }
        } while (random.nextInt(3) == 0);
    }

    private int status(Tested tested, Sent sent) {
        int status = tested.status(sent);
        assertThat(status).isIn(200, 400, 404, 405, 413, 415);
        statuses.merge(status, 1, Integer::sum);
        tested.endpoint.refusals().forEach(each -> assertThat(each.reason()).matches("[ -~]{1,510}"));
        assertThat(tested.endpoint.refusals()).hasSize(status == 200 ? 0 : 1);
        return status;
    }

    /** Nothing but what the owner of the key wrote is ever registered, and nothing is removed that the owner did not remove. */
    private void playSigned(int runs, boolean encrypted) {
        Optional<Trust> trust = Optional.of(new Trust(KEY, encrypted));
        play(runs, random -> {
            Tested tested = new Tested(trust);
            tested.registry.receive(message(single("known")), "", 0);
            Map<String, Bytes> before = tested.registry.held();
            Map<String, Bytes> registered = new HashMap<>(before);
            tested.registry.receive(message(single("x", single("y"))), "", 0);
            registered.putAll(tested.registry.held());
            if (random.nextBoolean()) {
                tested.registry.disconnect("x", "");
            }
            Map<String, Bytes> start = tested.registry.held();
            Sent sent = valid(random, trust);
            boolean put = sent.method.equals("PUT");
            mutate(sent, random);
            int status = status(tested, sent);
            if (status == 200) {
                assertThat(sent.method).isEqualTo(put ? "PUT" : "DELETE");
                assertThat(sent.requestUri()).isEqualTo("/libs/sling/topology/connector.x.json");
                assertThat(tested.registry.held()).isEqualTo(put ? registered : before);
            } else {
                assertThat(tested.registry.held()).isEqualTo(start);
                throw new Refused(status);
            }
        });
    }

    @Test
    void signedRequests() {
        playSigned(5_000, false);
    }

    @Test
    void encryptedRequests() {
        // Each of these costs the derivation of some keys.
        playSigned(60, true);
    }

    /** Without signatures a sender may say what it likes of itself, and nothing of others. */
    @Test
    void unsignedRequests() {
        play(5_000, random -> {
            Tested tested = new Tested(Optional.empty());
            tested.registry.receive(message(single("known")), "127.0.0.2", 0);
            Map<String, Bytes> before = tested.registry.held();
            Sent sent = valid(random, Optional.empty());
            mutate(sent, random);
            int status = status(tested, sent);
            if (status == 200) {
                Map<String, Bytes> after = tested.registry.held();
                assertThat(after)
                        .containsAllEntriesOf(before)
                        .hasSizeLessThanOrEqualTo(2)
                        .doesNotContainKey("b1");
                after.keySet().stream()
                        .filter(owner -> !before.containsKey(owner))
                        .forEach(owner -> assertThat(sent.pathInfo).endsWith("." + owner + ".json"));
            } else {
                assertThat(tested.registry.held()).isEqualTo(before);
                throw new Refused(status);
            }
        });
        assertThat(statuses).containsKeys(400, 413, 415);
    }
}
