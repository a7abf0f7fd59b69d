// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import static org.apache.sling.discovery.base.connector.wire.Messages.cluster;
import static org.apache.sling.discovery.base.connector.wire.Messages.message;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.sling.discovery.base.connector.registry.AnnouncementRegistry;
import org.apache.sling.discovery.base.connector.registry.Timing;
import org.apache.sling.discovery.base.connector.trust.AllowList;
import org.apache.sling.discovery.base.connector.trust.Encryption;
import org.apache.sling.discovery.base.connector.trust.SharedKey;
import org.apache.sling.discovery.base.connector.trust.SharedKey.TrustHeaders;
import org.apache.sling.discovery.base.connector.trust.Trust;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.MessageBody;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.testing.fuzz.Mutations;
import org.junit.jupiter.api.Test;

/**
 * Random mutations of valid requests get a documented status, and change nothing that the owner of the key did not sign. A failure
 * prints its seed, and {@code -Ddiscovery.fuzz.seed=<seed>} plays it alone; {@code -Ddiscovery.fuzz.factor=100} plays more.
 */
class EndpointFuzzTest {

    private static final int FACTOR = Integer.getInteger("discovery.fuzz.factor", 1);
    private static final Long SEED = Long.getLong("discovery.fuzz.seed");
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
            ConnectorEndpoint.Access access =
                    new ConnectorEndpoint.Access(AllowList.of(List.of("127.0.0.1")), trust, Duration.ofSeconds(10));
            registry = new AnnouncementRegistry(
                    "b1", "host:80", Timing.DEFAULT, trust.isPresent(), time, () -> {}, 1 << 24);
            registry.showLocal(cluster("b", "b1"), () -> true);
            endpoint = new ConnectorEndpoint(access, registry, time, LIMITS, address -> address);
        }

        int status(Sent request) {
            return endpoint.handle(request.request()).status();
        }

        void receive(Announcement announcement, String address) {
            try {
                registry.receive(message(announcement), address, 0);
            } catch (InvalidMessage e) {
                throw new AssertionError(e);
            }
        }

        void disconnect(String owner) {
            try {
                registry.disconnect(owner, "");
            } catch (InvalidMessage e) {
                throw new AssertionError(e);
            }
        }
    }

    private void play(int runs, Consumer<Random> run) {
        long[] seeds = SEED == null ? LongStream.range(0, (long) runs * FACTOR).toArray() : new long[] {SEED};
        for (long seed : seeds) {
            try {
                // The first numbers of generators with near seeds are alike.
                run.accept(new Random(seed * 0x9E3779B97F4A7C15L));
            } catch (Exception | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        if (SEED == null) {
            assertThat(statuses).as("statuses").containsKeys(200, 404, 405);
        }
    }

    /** Returns a request that is as its sender wrote it, in signed form if there is a key. */
    private static Sent valid(Random random, Optional<Trust> trust) {
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
        trust.ifPresent(each -> sent.signed(KEY, delete ? deletion(nonce) : text, NOW));
        return sent;
    }

    private static String deletion(Optional<String> nonce) {
        try {
            return SharedKey.deletion(nonce);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Changes one thing, or several. */
    private static void mutate(Sent sent, Random random) {
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
                default -> sent.body = new ByteArrayInputStream(Mutations.mutated(bytes(sent), random));
            }
        } while (random.nextInt(3) == 0);
    }

    private static byte[] bytes(Sent sent) {
        try {
            byte[] bytes = sent.body.readAllBytes();
            return bytes.length == 0 ? PING.getBytes(StandardCharsets.UTF_8) : bytes;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
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
            tested.receive(single("known"), "");
            Map<String, Bytes> before = tested.registry.held();
            Map<String, Bytes> registered = new HashMap<>(before);
            tested.receive(single("x", single("y")), "");
            registered.putAll(tested.registry.held());
            if (random.nextBoolean()) {
                tested.disconnect("x");
            }
            Map<String, Bytes> start = tested.registry.held();
            Sent sent = valid(random, trust);
            boolean put = sent.method.equals("PUT");
            mutate(sent, random);
            if (status(tested, sent) == 200) {
                assertThat(sent.method).isEqualTo(put ? "PUT" : "DELETE");
                assertThat(sent.requestUri()).isEqualTo("/libs/sling/topology/connector.x.json");
                assertThat(tested.registry.held()).isEqualTo(put ? registered : before);
            } else {
                assertThat(tested.registry.held()).isEqualTo(start);
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
            tested.receive(single("known"), "127.0.0.2");
            Map<String, Bytes> before = tested.registry.held();
            Sent sent = valid(random, Optional.empty());
            mutate(sent, random);
            if (status(tested, sent) == 200) {
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
            }
        });
        assertThat(statuses).containsKeys(400, 413, 415);
    }
}
