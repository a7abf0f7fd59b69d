// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.client;

import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport.PeerExchanges;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.trust.Encryption;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.trust.Trust;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges over loopback. The limit of an exchange is on virtual time, so only the test lets it pass. */
@Timeout(60)
class PeerClientTest {
    /** A peer with these limits sends what others refuse. */
    private static final long NOW = 1_700_000_000_000L;

    private static final long WHOLE_LIMIT = 20_000;
    private static final String PATH = "/libs/sling/topology/connector";
    private static final String SECRET = "s3cret";
    private static final SharedKey KEY = new SharedKey(SECRET, Duration.ofHours(4));
    private static final WireLimits LIMITS = WireLimits.DEFAULT;
    private static final ConnectorSettings PLAIN = settings(false, null);
    private static final Message PING = message("a1", "é€");
    private static final Message REPLY = message("b1", "ü東");

    private final VirtualTime virtual = new VirtualTime();
    private final VirtualProcess process = new VirtualProcess(virtual);
    private final Time time = new Time(process::clock, () -> NOW);
    private final AnnouncementCodec codec = new AnnouncementCodec(LIMITS);
    private final MessageBody bodies = new MessageBody(LIMITS);
    private final ThreadPoolExecutor threads = Transport.exchanges(Transport.factory("a1"));
    private final ExecutorService serverThreads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Request> requests = new ArrayList<>();
    private HttpServer server;
    private Handler handler = this::accept;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setExecutor(serverThreads);
        server.createContext("/", exchange -> {
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getRawPath(),
                    name -> Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)),
                    exchange.getRequestBody().readAllBytes());
            synchronized (requests) {
                requests.add(request);
            }
            try {
                handler.handle(request, exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        over.countDown();
        server.stop(0);
        serverThreads.shutdownNow();
        threads.shutdownNow();
    }

    @Test
    void exchangesPlainAnnouncements() throws Exception {
        PeerExchanges.Result result = ping(PLAIN);
        assertThat(result.failure()).isEmpty();
        assertThat(result.reply()).hasValue(REPLY);
        Request request = onlyRequest();
        assertThat(request.method).isEqualTo("PUT");
        assertThat(request.path).isEqualTo(PATH + ".a1.json");
        assertThat(request.header("Accept-Encoding")).hasValue("gzip");
        assertThat(request.header("Content-Type")).hasValue("application/json; charset=UTF-8");
        assertThat(request.header("Content-Encoding")).isEmpty();
        assertThat(request.header("Authorization")).isEmpty();
        assertThat(request.header(TrustHeaders.HASH)).isEmpty();
        String text = new String(request.body, StandardCharsets.UTF_8);
        assertThat(text).matches("[ -~]*");
        assertThat(codec.read(text, false)).isEqualTo(PING);
        assertThat(result.bytesSent()).isEqualTo(request.body.length);
        assertThat(result.bytesReceived()).isEqualTo(codec.write(REPLY).length());
    }

    @Test
    void exchangesGzip() throws Exception {
        handler = (request, exchange) -> {
            assertThat(MessageBody.acceptsGzip(request.header("Accept-Encoding")))
                    .isTrue();
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            send(exchange, 200, MessageBody.bytes(codec.write(REPLY), true));
        };
        PeerExchanges.Result result = ping(settings(true, null));
        assertThat(result.reply()).hasValue(REPLY);
        Request request = onlyRequest();
        assertThat(request.header("Content-Encoding")).hasValue("gzip");
        assertThat(codec.read(bodies.text(request.body, Optional.of("gzip"), Optional.empty()), false))
                .isEqualTo(PING);
        assertThat(result.bytesReceived())
                .as("as transferred")
                .isEqualTo(MessageBody.bytes(codec.write(REPLY), true).length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void exchangesSignedAnnouncements(boolean encrypted) throws Exception {
        Encryption encryption = new Encryption(SECRET, new SecureRandom());
        handler = (request, exchange) -> {
            String text = codec.write(REPLY);
            reply(exchange, request, encrypted ? encryption.encrypt(text) : text, KEY);
        };
        PeerExchanges.Result result = ping(settings(true, trust(encrypted)));
        assertThat(result.failure()).isEmpty();
        assertThat(result.reply()).hasValue(REPLY);
        Request request = onlyRequest();
        String text = bodies.text(request.body, Optional.of("gzip"), Optional.empty());
        verify(request, text);
        assertThat(codec.read(encrypted ? encryption.decrypt(text) : text, false))
                .isEqualTo(PING);
    }

    @Test
    void signsThePathAsItIsSent() throws Exception {
        handler = (request, exchange) -> reply(exchange, request, codec.write(REPLY), KEY);
        PeerClient client = client(settings(false, trust(false)));
        PeerExchanges.Result result =
                client.ping(URI.create(base() + "/my%20app" + PATH), PING).get();
        assertThat(result.reply()).hasValue(REPLY);
        assertThat(onlyRequest().path).isEqualTo("/my%20app" + PATH + ".a1.json");
        verify(onlyRequest(), new String(onlyRequest().body, StandardCharsets.UTF_8));
    }

    private static Message with(Announcement... nested) {
        return PING.with(PING.announcement().orElseThrow().withNested(List.of(nested)));
    }

    @Test
    void anEncryptedMessageFitsToo() throws Exception {
        WireLimits small = new WireLimits(2_000, 32, 20, 100_000);
        Message large = with(announcement("c1", "x".repeat(1_200)));
        assertThat(codec.write(large)).hasSizeLessThan(2_000).hasSizeGreaterThan(1_500);
        PeerClient client =
                new PeerClient("a1", settings(false, trust(true)), small, time, process.executor(() -> 0), threads);
        client.ping(url(), large).get();
        assertThat(onlyRequest().body).hasSizeLessThan(2_000);
    }

    @ParameterizedTest
    @CsvSource({
        "301, another server",
        "401, user and password",
        "404, allow list",
        "404, shared key",
        "413, length",
        "500, its log",
        "502, proxy",
        "503, no settled view"
    })
    void namesTheStatusAndWhatToCheck(int status, String advice) throws Exception {
        handler = (request, exchange) -> send(exchange, status, "<html>".getBytes(StandardCharsets.UTF_8));
        assertThat(failure(PLAIN)).contains("status " + status, advice, url().toString());
    }

    @ParameterizedTest
    @CsvSource({
        "'', status 200 and no body",
        "<html>, cannot be accepted",
        "{}, cannot be accepted",
        "nonsense, The URL may lead to another server"
    })
    void aBodyThatIsNoAnnouncementIsAFailure(String text, String why) throws Exception {
        handler = (request, exchange) -> send(exchange, 200, text.getBytes(StandardCharsets.UTF_8));
        assertThat(failure(PLAIN)).contains(why);
    }

    @Test
    void anEndlessBodyIsCutOff() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        AtomicInteger megabytes = new AtomicInteger();
        handler = (request, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] megabyte = new byte[1 << 20];
            try (OutputStream out = exchange.getResponseBody()) {
                while (megabytes.incrementAndGet() < 1_000) {
                    out.write(megabyte);
                }
            } catch (IOException e) {
                cut.countDown();
            }
        };
        assertThat(failure(PLAIN)).contains("more than " + LIMITS.bodyBytes() + " bytes");
        cut.await();
        assertThat(megabytes.get()).isLessThan(1_000);
    }

    @Test
    void aBodyThatIsAnnouncedTooLongIsNotRead() throws Exception {
        handler = (request, exchange) -> {
            exchange.sendResponseHeaders(200, 1L << 30);
            exchange.getResponseBody().flush();
            over.await();
        };
        PeerExchanges.Result result = ping(PLAIN);
        assertThat(result.failure().orElseThrow()).contains("more than " + LIMITS.bodyBytes() + " bytes");
        assertThat(result.bytesReceived()).isZero();
    }

    @Test
    void aBodyThatDoesNotEndIsCutOff() throws Exception {
        try (RawServer raw = new RawServer()) {
            PeerClient client = client(PLAIN);
            CompletableFuture<PeerExchanges.Result> future = client.ping(raw.url(), PING);
            Socket connection = raw.accept();
            connection
                    .getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(StandardCharsets.US_ASCII));
            virtual.run(WHOLE_LIMIT - 1);
            assertThat(future).isNotDone();
            virtual.run(1);
            assertThat(future).isCompleted();
            assertThat(future.get().failure().orElseThrow()).contains("within 20 s");
            assertThat(readToEnd(connection)).as("the connection is closed").isTrue();
        }
    }

    @Test
    void hangingPeersKeepNoOthersWaiting() throws Exception {
        PeerClient client = client(PLAIN);
        try (RawServer raw = new RawServer()) {
            List<CompletableFuture<PeerExchanges.Result>> hanging = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                hanging.add(client.ping(raw.url(), PING));
                raw.accept();
            }
            assertThat(client.ping(url(), PING).get().reply()).hasValue(REPLY);
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
            virtual.run(WHOLE_LIMIT);
            assertThat(hanging).allMatch(CompletableFuture::isDone);
            assertThat(hanging.get(0).get().failure().orElseThrow())
                    .contains(raw.url().toString())
                    .contains("within 20 s");
        }
    }

    @Test
    void cancellingEndsTheExchange() throws Exception {
        try (RawServer raw = new RawServer()) {
            CompletableFuture<PeerExchanges.Result> future = client(PLAIN).ping(raw.url(), PING);
            Socket connection = raw.accept();
            future.cancel(true);
            assertThat(readToEnd(connection)).isTrue();
        }
    }

    @Test
    void aConnectionThatBreaksIsUsedOnceMore() throws Exception {
        try (RawServer raw = new RawServer()) {
            CompletableFuture<PeerExchanges.Result> future = client(PLAIN).ping(raw.url(), PING);
            closeAfterRequest(raw.accept());
            closeAfterRequest(raw.accept());
            assertThat(future.get().failure().orElseThrow()).contains("ended before the reply was complete");
            assertThat(future.get().bytesSent())
                    .isEqualTo(2L * codec.write(PING).length());
            assertThat(raw.connections).isEmpty();
        }
    }

    @Test
    void aConnectionThatIsRefusedIsAFailure() throws Exception {
        URI closed;
        try (RawServer raw = new RawServer()) {
            closed = raw.url();
        }
        assertThat(client(PLAIN).ping(closed, PING).get().failure().orElseThrow())
                .contains("No connection to " + closed);
    }

    private void refused(boolean encrypted, Handler peer, String why) throws Exception {
        handler = peer;
        assertThat(failure(settings(false, trust(encrypted))))
                .contains("cannot be accepted", why, "keys of the two sides differ");
    }

    @Test
    void aReplyIsRefusedThatIsNotWhatThePeerSigned() throws Exception {
        String text = codec.write(REPLY);
        SharedKey other = new SharedKey("other", Duration.ofHours(4));
        refused(false, this::accept, TrustHeaders.HASH + " is missing");
        refused(false, (request, exchange) -> reply(exchange, request, text, other), "the shared key differs");
        refused(true, (request, exchange) -> reply(exchange, request, text, KEY), "cannot be decrypted");
        refused(
                false,
                (request, exchange) -> {
                    sign(exchange, request, text, KEY);
                    send(exchange, 200, codec.write(message("b2", "")).getBytes(StandardCharsets.UTF_8));
                },
                "path or body were changed");
        refused(
                false,
                (request, exchange) -> {
                    for (String header : List.of(TrustHeaders.HASH, TrustHeaders.TRUST)) {
                        exchange.getResponseHeaders()
                                .set(header, request.header(header).orElseThrow());
                    }
                    send(exchange, 200, request.body);
                },
                "path or body were changed");
    }

    @Test
    void aReplyThatComesAgainIsAFailure() throws Exception {
        handler = (request, exchange) -> reply(exchange, request, codec.write(REPLY), KEY);
        PeerClient client = client(settings(false, trust(false)));
        assertThat(client.ping(url(), PING).get().reply()).hasValue(REPLY);
        assertThat(client.ping(url(), PING).get().failure().orElseThrow()).contains("came before");
    }

    @Test
    void sendsCredentialsImmediatelyAndShowsNone() throws Exception {
        handler = (request, exchange) -> send(exchange, 401, new byte[0]);
        URI url = URI.create(url().toString().replace("http://", "http://us%40er:p%2Fass@"));
        PeerExchanges.Result result = client(PLAIN).ping(url, PING).get();
        assertThat(onlyRequest().header("Authorization"))
                .hasValue(
                        "Basic " + Base64.getEncoder().encodeToString("us@er:p/ass".getBytes(StandardCharsets.UTF_8)));
        assertThat(onlyRequest().path).isEqualTo(PATH + ".a1.json");
        assertThat(result.failure().orElseThrow())
                .contains(url().toString())
                .contains("status 401")
                .doesNotContain("er:")
                .doesNotContain("p%2F")
                .doesNotContain("p/ass");
    }

    @Test
    void disconnects() throws Exception {
        handler = (request, exchange) -> exchange.sendResponseHeaders(200, -1);
        PeerClient client = client(settings(true, trust(true)));
        PeerExchanges.Result first = client.disconnect(url()).get();
        PeerExchanges.Result second = client.disconnect(url()).get();
        assertThat(first).isEqualTo(new PeerExchanges.Result(Optional.empty(), Optional.empty(), 0, 0));
        assertThat(second.failure()).isEmpty();
        assertThat(requests).hasSize(2).allMatch(request -> request.method.equals("DELETE"));
        Request request = requests.get(0);
        assertThat(request.path).isEqualTo(PATH + ".a1.json");
        verify(request, SharedKey.deletion(request.header(TrustHeaders.NONCE)));
        assertThat(request.header(TrustHeaders.HASH))
                .as("no replay")
                .isNotEqualTo(requests.get(1).header(TrustHeaders.HASH));
    }

    @Test
    void anIdWithADotIsAFailure() throws Exception {
        PeerClient client =
                new PeerClient("a.1", ConnectorSettings.DEFAULT, LIMITS, time, process.executor(() -> 0), threads);
        assertThat(client.ping(url(), PING).get().failure().orElseThrow()).contains("a.1, has a dot");
    }

    @Test
    void usesItsOwnThreadsOnly() throws Exception {
        LinkedBlockingQueue<String> names = new LinkedBlockingQueue<>();
        PeerClient client = new PeerClient(
                "a1",
                settings(false, null),
                LIMITS,
                time,
                process.executor(() -> 0),
                task -> threads.execute(() -> {
                    names.add(Thread.currentThread().getName());
                    assertThat(Thread.currentThread().isDaemon()).isTrue();
                    task.run();
                }));
        client.ping(url(), PING).get();
        assertThat(names).isNotEmpty().allMatch(name -> name.startsWith("discovery-a1-connectors-"));
    }

    @Test
    void failsWhenTheInstanceStops() throws Exception {
        PeerClient client = client(PLAIN);
        threads.shutdownNow();
        assertThat(client.ping(url(), PING).get().failure().orElseThrow()).contains("stopping");
    }

    private void accept(Request request, HttpExchange exchange) throws IOException {
        send(exchange, 200, codec.write(REPLY).getBytes(StandardCharsets.UTF_8));
    }

    private void reply(HttpExchange exchange, Request request, String text, SharedKey key) throws IOException {
        sign(exchange, request, text, key);
        send(exchange, 200, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void sign(HttpExchange exchange, Request request, String text, SharedKey key) {
        TrustHeaders headers = key.sign(Direction.REPLY, request.path, text, NOW);
        exchange.getResponseHeaders().set(TrustHeaders.HASH, headers.hash());
        exchange.getResponseHeaders().set(TrustHeaders.TRUST, headers.trust());
    }

    private static void verify(Request request, String text) throws Exception {
        KEY.verify(request.header(TrustHeaders.HASH), request.header(TrustHeaders.TRUST), NOW)
                .verify(Direction.REQUEST, request.path, text);
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private PeerExchanges.Result ping(ConnectorSettings settings) throws Exception {
        return client(settings).ping(url(), PING).get();
    }

    private String failure(ConnectorSettings settings) throws Exception {
        PeerExchanges.Result result = ping(settings);
        assertThat(result.reply()).isEmpty();
        return result.failure().orElseThrow();
    }

    private PeerClient client(ConnectorSettings settings) {
        return new PeerClient("a1", settings, LIMITS, time, process.executor(() -> 0), threads);
    }

    private String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private URI url() {
        return URI.create(base() + PATH);
    }

    private Request onlyRequest() {
        synchronized (requests) {
            assertThat(requests).hasSize(1);
            return requests.get(0);
        }
    }

    private static Trust trust(boolean encrypted) {
        return new Trust(KEY, encrypted);
    }

    private static ConnectorSettings settings(boolean gzip, Trust trust) {
        Transfer transfer = new Transfer(Duration.ofSeconds(10), Duration.ofSeconds(10), gzip);
        return new ConnectorSettings(
                List.of(),
                ConnectorSettings.DEFAULT.allowed(),
                Optional.ofNullable(trust),
                Timing.DEFAULT,
                transfer,
                false);
    }

    private static Announcement announcement(String id, String value) {
        return by(id, cluster("cluster-" + id, id, Map.of("name", value)));
    }

    private static Message message(String id, String value) {
        return Message.of(announcement(id, value), NOW);
    }

    private static void closeAfterRequest(Socket connection) throws IOException {
        connection.getInputStream().read();
        connection.setSoLinger(true, 0);
        connection.close();
    }
    /** Reads until the other side closes the connection, and says whether it does. */
    private static boolean readToEnd(Socket connection) {
        try {
            InputStream in = connection.getInputStream();
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // A reset is an end too.
        }
        return true;
    }

    private interface Handler {
        void handle(Request request, HttpExchange exchange) throws IOException, InterruptedException;
    }

    private record Request(String method, String path, Function<String, Optional<String>> headers, byte[] body) {
        Optional<String> header(String name) {
            return headers.apply(name);
        }
    }
    /** Accepts connections and leaves the rest to the test. */
    private static final class RawServer implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
        private final LinkedBlockingQueue<Socket> connections = new LinkedBlockingQueue<>();
        private final List<Socket> accepted = new ArrayList<>();

        RawServer() throws IOException {
            Thread acceptor = new Thread(() -> {
                try {
                    while (true) {
                        connections.add(socket.accept());
                    }
                } catch (IOException e) {
                    // The end of the test.
                }
            });
            acceptor.setDaemon(true);
            acceptor.start();
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort() + PATH);
        }

        Socket accept() throws InterruptedException, IOException {
            Socket connection = connections.poll(30, TimeUnit.SECONDS);
            assertThat(connection).as("a connection").isNotNull();
            connection.setSoTimeout(30_000);
            accepted.add(connection);
            return connection;
        }

        @Override
        public void close() throws IOException {
            socket.close();
            for (Socket connection : accepted) {
                connection.close();
            }
        }
    }
}
