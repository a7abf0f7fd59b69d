// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.message;
import static io.github.discoveryzk.connectors.wire.Messages.nested;
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
import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ConnectorEndpointTest {

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);
    private static final WireLimits SMALL = new WireLimits(5_000, 5, 10, 50_000);
    private static final SharedKey KEY = new SharedKey("s3cret", Duration.ofHours(4));
    private static final String X = text(message(single("x")));

    private long now = 1_767_225_600_000L;
    private boolean current = true;
    private UnaryOperator<String> hostNames = address -> address.equals("192.0.2.1") ? "one.example.com" : address;
    private int lookups;
    private int ids;
    private final Time time = new Time(() -> now, () -> now);
    private AnnouncementRegistry registry;
    private ConnectorEndpoint endpoint = endpoint(Optional.empty(), "127.0.0.1");

    private ConnectorEndpoint endpoint(Optional<Trust> trust, String... allowed) {
        ConnectorSettings settings = new ConnectorSettings(
                List.of(), AllowList.of(List.of(allowed)), trust, Timing.DEFAULT, Transfer.DEFAULT, false);
        registry = new AnnouncementRegistry("b1", "host:80", settings, time, () -> {}, 1 << 24);
        registry.showLocal(cluster("b", "b1"), () -> current);
        return new ConnectorEndpoint(settings, registry, time, SMALL, address -> {
            lookups++;
            return hostNames.apply(address.getHostAddress());
        });
    }

    private void trust(boolean encrypted) {
        endpoint = endpoint(Optional.of(new Trust(KEY, encrypted)));
    }

    private static String text(Message message) {
        return CODEC.write(message);
    }

    private void refused(int status, Sent request) {
        refused(status, request, request.address);
    }

    private void refused(int status, Sent request, String sender) {
        Map<String, Bytes> held = registry.held();
        long before = total();
        ConnectorReply reply = endpoint.handle(request.request());
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body()).isEmpty();
        assertThat(reply.headers()).isEmpty();
        assertThat(registry.held()).isEqualTo(held);
        assertThat(total()).isEqualTo(before + 1);
        assertThat(endpoint.refusals().get(0).status()).isEqualTo(status);
        assertThat(endpoint.refusals().get(0).sender()).isEqualTo(sender);
    }

    private long total() {
        return endpoint.refusals().stream().mapToLong(Refusal::count).sum();
    }

    private ConnectorReply ok(Sent request) {
        ConnectorReply reply = endpoint.handle(request.request());
        assertThat(reply.status()).as(endpoint.refusals().toString()).isEqualTo(200);
        return reply;
    }

    private static Message replied(ConnectorReply reply) throws Exception {
        assertThat(reply.headers()).containsEntry("Content-Type", "application/json; charset=UTF-8");
        return CODEC.read(
                new MessageBody(SMALL)
                        .text(
                                reply.body(),
                                Optional.ofNullable(reply.headers().get("Content-Encoding")),
                                Optional.of(reply.headers().get("Content-Type"))),
                true);
    }

    @Test
    void aPingIsRegisteredAndAnswered() throws Exception {
        ConnectorReply reply = ok(Sent.put("x", X));
        assertThat(replied(reply).ownerId()).isEqualTo("b1");
        assertThat(replied(reply).announcement()).contains(by("b1", cluster("b", "b1")));
        assertThat(reply.headers()).containsOnlyKeys("Content-Type");
        assertThat(registry.held()).containsOnlyKeys("x");
        assertThat(registry.incoming().get(0).traffic().bytesReceived()).isEqualTo(X.length());
        assertThat(registry.incoming().get(0).traffic().bytesSent()).isEqualTo(reply.body().length);
    }

    @Test
    void gzipIsReadAndWrittenOnDemand() throws Exception {
        byte[] gzip = MessageBody.bytes(X, true);
        ConnectorReply reply =
                ok(Sent.put("x", gzip).with("Content-Encoding", "gzip").with("Accept-Encoding", "gzip"));
        assertThat(reply.headers()).containsEntry("Content-Encoding", "gzip");
        assertThat(replied(reply).ownerId()).isEqualTo("b1");
    }

    @Test
    void aFailureTellsThePeerNothing() {
        for (Throwable each : List.of(new IllegalArgumentException("as the test wants it"), new StackOverflowError())) {
            hostNames = address -> {
                if (each instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) each;
            };
            endpoint = endpoint(Optional.empty(), "peer.example");
            assertThat(endpoint.handle(Sent.put("x", X).request()))
                    .usingRecursiveComparison()
                    .isEqualTo(ConnectorReply.of(500));
        }
    }

    @Test
    void aLoopIsAnsweredWithSuccess() throws Exception {
        ConnectorReply reply = ok(Sent.put(message(by("b1", cluster("b", "b1")))));
        assertThat(replied(reply).loop()).isTrue();
        assertThat(total()).isZero();
    }

    @Test
    void aDisconnectForgets() {
        ok(Sent.put("x", X));
        ConnectorReply reply = ok(Sent.delete("x"));
        assertThat(reply.body()).isEmpty();
        assertThat(registry.held()).isEmpty();
        ok(Sent.delete("unknown"));
    }

    @Test
    void otherMethodsAreRefused() {
        for (String method : List.of("GET", "POST", "HEAD", "OPTIONS", "TRACE", "put", "")) {
            Sent other = Sent.put("x", X);
            other.method = method;
            refused(405, other);
            refused(404, other.from("192.0.2.1"));
            assertThat(other.read).isFalse();
        }
    }

    @Test
    void aSenderWithoutAnAddressIsRefused() {
        refused(404, Sent.put("x", X).from(null), "unknown");
        refused(404, Sent.put("x", X).from("\n<b>" + "x".repeat(1_000)), "?<b>" + "x".repeat(56) + "...");
        trust(false);
        refused(404, Sent.put("x", X).from(null), "unknown");
    }

    @Test
    void anotherAddressMayNotSpeakForAConnectedOwner() {
        endpoint = endpoint(Optional.empty(), "127.0.0.0/8");
        ok(Sent.put("x", X));
        refused(404, Sent.put(message(single("x", single("y")))).from("127.0.0.2"));
        refused(404, Sent.delete("x").from("127.0.0.2"));
        ok(Sent.put("x", X));
        ok(Sent.delete("x"));
    }

    @Test
    void whoIsNotAllowedLearnsNothingAndIsNotRead() {
        Sent put = Sent.put("x", X).from("192.0.2.1");
        refused(404, put);
        assertThat(put.read).isFalse();
        ok(Sent.put("x", X));
        refused(404, Sent.delete("x").from("192.0.2.1"));
    }

    @Test
    void onlySoManyHostNamesAreLookedUpImmediately() {
        endpoint = endpoint(Optional.empty(), "*.example.com", "127.0.0.1");
        List<Integer> statuses = new ArrayList<>();
        // While one name is looked up, the next request comes.
        hostNames = address -> {
            statuses.add(
                    endpoint.handle(Sent.delete("x").from(address).request()).status());
            return "one.example.com";
        };
        for (int round = 1; round <= 2; round++) {
            ok(Sent.delete("x").from("192.0.2.1"));
            assertThat(statuses).hasSize(ConnectorEndpoint.MAX_LOOKUPS);
            assertThat(statuses).filteredOn(status -> status == 404).hasSize(1);
            assertThat(total()).isEqualTo(round);
            statuses.clear();
        }
        assertThat(endpoint.refusals().get(0).reason()).contains("too many host names");
        lookups = 0;
        ok(Sent.delete("x"));
        assertThat(lookups).isZero();
    }

    @Test
    void onAnotherPathNoHostNameIsLookedUp() {
        endpoint = endpoint(Optional.empty(), "*.example.com");
        for (Sent other : List.of(Sent.put("x", X), Sent.delete("x"))) {
            other.pathInfo = "/connector.json";
            refused(404, other.from("192.0.2.1"));
        }
        assertThat(lookups).isZero();
    }

    @Test
    void whatIsNoAnnouncementIsABadRequest() {
        refused(400, Sent.put("x", "no json"));
        refused(400, Sent.put("x", "{}"));
        refused(400, Sent.put("x", ""));
        refused(400, Sent.put("x", X.replace("\"protocolVersion\":1", "\"protocolVersion\":2")));
        refused(400, Sent.put("y", X));
        refused(400, Sent.put(Message.loop("x", 1, 0)));
        Sent broken = Sent.put("x", X);
        broken.body = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }
        };
        refused(400, broken);
    }

    @Test
    void whatIsTooLargeIsRefused() {
        Sent announced = Sent.put("x", X);
        announced.length = 5_001;
        refused(413, announced);
        assertThat(announced.read).isFalse();
        refused(413, Sent.put("x", " ".repeat(5_001)));
        byte[] bomb = MessageBody.bytes(" ".repeat(100_000), true);
        refused(413, Sent.put("x", bomb).with("Content-Encoding", "gzip"));
    }

    @Test
    void whatCannotBeDecodedIsRefused() {
        refused(415, Sent.put("x", X).with("Content-Encoding", "br"));
        refused(415, Sent.put("x", X).with("Content-Type", "application/json; charset=nonsense"));
        refused(415, Sent.put("x", new byte[] {'{', (byte) 0xff}));
    }

    @Test
    void withoutACurrentViewTheServiceIsUnavailable() {
        current = false;
        refused(503, Sent.put("x", X));
        ok(Sent.delete("x"));
    }

    @Test
    void aSlowBodyIsGivenUp() {
        Sent slow = Sent.put("x", X);
        slow.body = new InputStream() {
            @Override
            public int read() {
                now += 1_000;
                return ' ';
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                bytes[offset] = (byte) read();
                return 1;
            }
        };
        refused(408, slow);
        ok(Sent.put("x", X));
    }

    @Test
    void onlySoManyBodiesAreReadImmediately() {
        endpoint = endpoint(Optional.empty(), "127.0.0.0/8");
        assertRead(BodyReader.MAX_BODIES, i -> "127.0.1." + i);
        assertRead(BodyReader.MAX_BODIES, i -> "127.0.1." + i);
    }

    @Test
    void oneSenderLeavesRoomForOthers() {
        endpoint = endpoint(Optional.empty(), "127.0.0.0/8");
        assertRead(BodyReader.MAX_OF_SENDER, i -> "127.0.0.1");
        List<Integer> statuses = new ArrayList<>();
        nest(BodyReader.MAX_OF_SENDER + 1, i -> i == 1 ? "127.0.0.2" : "127.0.0.1", statuses);
        assertThat(statuses).hasSize(BodyReader.MAX_OF_SENDER + 1).containsOnly(200);
        assertRead(BodyReader.MAX_OF_SENDER, i -> "127.0.0.1");
    }
    /** Sends one more than are read at the same time. */
    private void assertRead(int most, IntFunction<String> addresses) {
        List<Integer> statuses = new ArrayList<>();
        nest(most + 1, addresses, statuses);
        assertThat(statuses).filteredOn(status -> status == 503).hasSize(1);
        assertThat(statuses).filteredOn(status -> status == 200).hasSize(most);
    }
    /** While one body is read, the next request comes; the one with number 1 is the last one. */
    private void nest(int depth, IntFunction<String> addresses, List<Integer> statuses) {
        if (depth > 0) {
            String id = "x" + ids++;
            Sent put = Sent.put(message(single(id))).from(addresses.apply(depth));
            InputStream content = put.body;
            put.body = new InputStream() {
                private boolean begun;

                @Override
                public int read() throws IOException {
                    if (!begun) {
                        begun = true;
                        nest(depth - 1, addresses, statuses);
                    }
                    return content.read();
                }
            };
            statuses.add(endpoint.handle(put.request()).status());
        }
    }
    // Trust
    private Sent signed(Sent request, String text) {
        return request.signed(KEY, text, now);
    }

    private static String at(long created) {
        return text(message(single("x")).createdAt(created));
    }

    private void verified(ConnectorReply reply, Sent request) throws Exception {
        KEY.verify(
                        Optional.of(reply.headers().get(TrustHeaders.HASH)),
                        Optional.of(reply.headers().get(TrustHeaders.TRUST)),
                        now)
                .verify(
                        Direction.REPLY,
                        request.requestUri(),
                        new MessageBody(SMALL)
                                .text(
                                        reply.body(),
                                        Optional.ofNullable(reply.headers().get("Content-Encoding")),
                                        Optional.empty()));
    }

    @Test
    void aSignedPingNeedsNoAllowListAndGetsASignedReply() throws Exception {
        trust(false);
        Sent put = signed(Sent.put("x", X).from("192.0.2.1"), X).with("Accept-Encoding", "gzip");
        verified(ok(put), put);
        assertThat(registry.held()).containsOnlyKeys("x");
    }

    @Test
    void withoutTheRightSignatureNothingIsFoundOrRead() {
        trust(false);
        Sent plain = Sent.put("x", X);
        refused(404, plain);
        assertThat(plain.read).isFalse();
        refused(404, signed(Sent.put("x", X), X).with(TrustHeaders.TRUST, "1/abc"));
        refused(404, signed(Sent.put("x", X), at(2)));
        Sent other = signed(Sent.put("x", X), X);
        other.pathInfo = "/connector.y.json";
        refused(404, other);
    }

    @Test
    void aReplayIsNotFound() {
        trust(false);
        ok(signed(Sent.put("x", X), X));
        refused(404, signed(Sent.put("x", X), X));
        ok(signed(Sent.put("x", at(2)), at(2)));
    }

    @Test
    void aPeerOfSlingMayDisconnectAgainFromTheAddressOfItsLastPing() {
        trust(false);
        for (int i = 1; i <= 3; i++) {
            ok(signed(Sent.put("x", at(i)), at(i)));
            if (i > 1) {
                refused(404, signed(Sent.delete("x").from("127.0.0.2"), "null"));
            }
            ok(signed(Sent.delete("x"), "null"));
            assertThat(registry.held()).isEmpty();
        }
        refused(404, signed(Sent.delete("x"), "null"));
    }

    @Test
    void aDisconnectIsVerifiedWithAndWithoutNonce() throws Exception {
        trust(false);
        Supplier<Sent> sling = () -> signed(Sent.delete("x"), "null");
        ok(signed(Sent.put("x", X), X));
        refused(404, Sent.delete("x"));
        refused(404, signed(Sent.delete("x"), X));
        ok(sling.get());
        assertThat(registry.held()).isEmpty();
        refused(404, sling.get());
        ok(signed(Sent.put("x", at(2)), at(2)));
        for (String nonce : List.of("n1", "n2")) {
            String text = SharedKey.deletion(Optional.of(nonce));
            ok(signed(Sent.delete("x").with(TrustHeaders.NONCE, nonce), text));
        }
        refused(404, signed(Sent.delete("x").with(TrustHeaders.NONCE, "n1"), SharedKey.deletion(Optional.of("n1"))));
        assertThat(registry.held()).isEmpty();
    }

    @Test
    void anEncryptedPingGetsAnEncryptedReply() throws Exception {
        trust(true);
        Encryption encryption = new Encryption("s3cret", new SecureRandom());
        String text = encryption.encrypt(X);
        Sent put = signed(Sent.put("x", text), text);
        ConnectorReply reply = ok(put);
        verified(reply, put);
        String body = new String(reply.body(), StandardCharsets.UTF_8);
        assertThat(body).startsWith("{\"payload\"");
        assertThat(CODEC.read(encryption.decrypt(body), true).ownerId()).isEqualTo("b1");
        refused(400, signed(Sent.put("x", X), X));
    }

    @Test
    void aReplyIsCutToWhatThePeerReads() throws Exception {
        for (int i = 0; i < 20; i++) {
            registry.receive(message(single("x" + i)), "", 0);
        }
        assertThat(nested(replied(ok(Sent.put("x", X))))).hasSize(9);
    }
}
