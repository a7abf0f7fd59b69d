// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.RawPeer;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Hostile requests to the endpoint of connectors, in a servlet container of each kind. After each test the topology is what it was, no
 * listener has heard anything, and an honest peer is still connected. Senders are told apart by their addresses: the honest peer has
 * 127.0.0.1, hostile ones that may connect have addresses of 127.0.0.0/16, and 127.9.0.1 may not connect.
 *
 * <p>Where a request is not valid HTTP the servlet container may refuse it before the endpoint sees it, with its own status or by
 * closing the connection. Such tests say so, and ask only that it is refused.
 */
public class HostileConnectorIT extends EndpointTest {

    private static final String HONEST = "127.0.0.1";
    private static final String STRANGER = "127.9.0.1";
    private static final int MEGABYTE = 1 << 20;

    /** 256 MB of nothing. */
    private static final byte[] BOMB = bomb();

    private static long created = System.currentTimeMillis();
    private static int senders;
    private static int round;

    private final Recorder recorder = new Recorder();
    private String topology;
    private int heard;
    private int logged;

    @Before
    public void connectHonestPeer() {
        container().untilCurrent();
        container().register(recorder);
        configure(Map.of());
    }

    /** Configures connectors, and waits until the honest peer is a part of the topology. */
    private void configure(Map<String, ?> more) {
        round++;
        // Also if it is what is configured already: the refusals begin anew.
        container().delete(CONNECTORS);
        untilAsserted(() -> assertThat(isOn()).isFalse());
        Map<String, Object> configuration = new HashMap<>(more);
        configuration.put("topologyConnectorWhitelist", new String[] {"127.0.0.0/16"});
        container().configure(CONNECTORS, configuration);
        untilAsserted(() -> assertThat(ping()).isEqualTo(200));
        untilAsserted(() -> {
            assertThat(container().topology().getInstances())
                    .anyMatch(each -> String.valueOf(round).equals(each.getProperty("round")));
            assertThat(recorder.last().getNewView()).isSameAs(container().topology());
        });
        topology = topology();
        heard = recorder.events().size();
        logged = container().log().size();
    }

    @After
    public void nothingHasChanged() throws Exception {
        assertThat(ping()).isEqualTo(200);
        assertThat(topology()).isEqualTo(topology);
        assertThat(recorder.events()).hasSize(heard);
        assertThat(container().errors()).isEmpty();
        // The lines of a stack trace, such as one of the HTTP server, begin with a tab.
        assertThat(log()).allMatch(text -> text.stripLeading().chars().noneMatch(Character::isISOControl));
    }

    private String topology() {
        return "" + container().report().view() + container().report().clusters();
    }

    private List<String> log() {
        List<String> all = container().log();
        return all.subList(logged, all.size());
    }

    private static String path(String owner) {
        return SERVLET + "/connector." + owner + ".json";
    }

    private String announcement(String owner) {
        return announcement(owner, owner, "{}", "");
    }

    private String announcement(String owner, String instance, String properties, String nested) {
        return "{\"ownerId\":\"" + owner + "\",\"protocolVersion\":1,\"created\":" + ++created
                + ",\"inherited\":false,\"serverInfo\":\"peer:80\",\"localClusterView\":{\"id\":\"cluster-" + instance
                + "\",\"instances\":[{\"slingId\":\"" + instance
                + "\",\"isLeader\":true,\"cluster\":\"c\",\"properties\":" + properties
                + "}]},\"topologyAnnouncements\":[" + nested + "]}";
    }

    private static byte[] put(String path, byte[] body, String... headers) {
        return request("PUT", path, body, headers);
    }

    private static byte[] put(String path, String body, String... headers) {
        return put(path, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private static byte[] request(String method, String path) {
        return request(method, path, new byte[0]);
    }

    private static byte[] request(String method, String path, byte[] body, String... headers) {
        return join(head(method, path, body.length, headers), body);
    }

    private static byte[] head(String method, String path, long length, String... headers) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n");
        if (length >= 0) {
            head.append("Content-Length: ").append(length).append("\r\n");
        }
        Arrays.asList(headers).forEach(header -> head.append(header).append("\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.asList(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] bomb() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < 256; i++) {
                gzip.write(new byte[MEGABYTE]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private RawPeer.Reply send(String from, byte[] request) throws IOException {
        try (RawPeer peer = new RawPeer(from, port())) {
            peer.write(request);
            return peer.read();
        }
    }

    /** Pings as the honest peer does. */
    private int ping() throws Exception {
        String body = announcement("honest", "honest", "{\"round\":\"" + round + "\"}", "");
        try {
            return send(HONEST, put(path("honest"), body)).status();
        } catch (ConnectException e) {
            return RawPeer.CLOSED;
        }
    }

    /** Returns an address that no request had before. */
    private String sender() {
        return "127.0.1." + ++senders;
    }

    /** Sends each request twice from one address. All are refused with a status, counted, and logged together with one line. */
    private void assertRefused(int status, byte[]... requests) throws Exception {
        String from = sender();
        for (byte[] request : requests) {
            for (int i = 0; i < 2; i++) {
                RawPeer.Reply reply = send(from, request);
                assertThat(reply.status()).as(shown(request)).isEqualTo(status);
                assertThat(reply.body()).as(shown(request)).isEmpty();
            }
        }
        assertCounted(from, status, 2L * requests.length);
    }

    private void assertCounted(String from, int status, long count) throws Exception {
        assertThat(refused(from, status)).as(from).isEqualTo(count);
        assertThat(log())
                .filteredOn(each -> each.contains(" from " + from + " "))
                .hasSize(1);
        assertThat(log())
                .filteredOn(each -> each.contains(" from " + from + " with status " + status + ": "))
                .hasSize(1);
    }

    /** Sends requests that are no valid HTTP: who refuses them, and how, is a matter of the servlet container. */
    private void assertRefusedSomehow(byte[]... requests) throws Exception {
        String from = sender();
        for (byte[] request : requests) {
            assertThat(send(from, request).status())
                    .as(shown(request))
                    .isIn(RawPeer.CLOSED, 400, 404, 405, 411, 413, 414, 431, 501, 505);
        }
        assertThat(log())
                .filteredOn(each -> each.contains(" from " + from + " "))
                .hasSizeLessThanOrEqualTo(2);
    }

    private static String shown(byte[] request) {
        return new String(request, 0, Math.min(request.length, 600), StandardCharsets.ISO_8859_1);
    }

    private long refused(String from, int status) {
        return container().report().connectors().refusals().stream()
                .filter(each -> each.sender().equals(from) && each.status() == status)
                .mapToLong(Refusal::count)
                .sum();
    }

    @Test
    public void aBodyOfAGigabyteIsRefusedBeforeItIsSent() throws Exception {
        assertRefused(413, join(head("PUT", path("x"), 1 << 30), new byte[1_000]));
    }

    @Test
    public void aBodyWithoutEndIsCutOff() throws Exception {
        String from = sender();
        byte[] chunk = join("100000\r\n".getBytes(StandardCharsets.US_ASCII), new byte[MEGABYTE], new byte[] {13, 10});
        long heap = heap();
        for (int i = 0; i < 3; i++) {
            try (RawPeer peer = new RawPeer(from, port())) {
                peer.write(head("PUT", path("x"), -1, "Transfer-Encoding: chunked"));
                int sent = 0;
                while (!peer.isAnswered() && peer.write(chunk)) {
                    assertThat(++sent).isLessThan(100);
                }
                // The server need not read the rest, and a reset may overtake the reply.
                assertThat(peer.read().status()).isIn(413, RawPeer.CLOSED);
            }
        }
        assertCounted(from, 413, 3);
        assertThat(heap() - heap).isLessThan(16 * MEGABYTE);
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    public void aBombIsNotInflated() throws Exception {
        long heap = heap();
        byte[] request = put(path("x"), BOMB, "Content-Encoding: gzip");
        assertRefused(413, request, request, request, request);
        assertThat(heap() - heap).isLessThan(16 * MEGABYTE);
    }

    /** The servlet container refuses it. */
    @Test
    public void headersOfAMegabyteAreRefused() throws Exception {
        String longest = "x".repeat(MEGABYTE);
        assertRefusedSomehow(
                put(path("x"), "{}", "X-Long: " + longest),
                put(path("x"), "{}", "X-SlingTopologyTrust: " + longest),
                put(path(longest), "{}"),
                put(path("x") + "?" + longest, "{}"));
    }

    @Test
    public void aStrangerFindsNothing() throws Exception {
        int count = 0;
        for (String method : List.of("PUT", "DELETE", "GET", "POST", "HEAD", "OPTIONS")) {
            for (String path : List.of(path("honest"), path("x"), SERVLET, SERVLET + "/")) {
                RawPeer.Reply reply = send(STRANGER, request(method, path, new byte[1_000]));
                assertThat(reply.status()).as(method + " " + path).isEqualTo(404);
                assertThat(reply.body()).isEmpty();
                count++;
            }
        }
        assertCounted(STRANGER, 404, count);
    }

    /** Of some of these the servlet container makes another path, or none. */
    @Test
    public void detoursAreNotAccepted() throws Exception {
        List<String> paths = List.of(
                SERVLET + "/connector.a%2Fx.json",
                SERVLET + "/connector%2Ex%2Ejson",
                SERVLET + "/connector.%2e%2e.json",
                SERVLET + "/connector.x.json;jsessionid=1",
                SERVLET + ";jsessionid=1/connector.x.json",
                SERVLET + "/;/connector.x.json",
                SERVLET + "//connector.x.json",
                "/libs/sling//topology/connector.x.json",
                "//libs/sling/topology/connector.x.json",
                SERVLET + "/./connector.x.json",
                SERVLET + "/../topology/connector.x.json",
                SERVLET + "/%2e%2e/topology/connector.x.json",
                "/libs/x/../sling/topology/connector.x.json",
                "/../libs/sling/topology/connector.x.json",
                SERVLET + "/connector.x.json%00",
                SERVLET + "/connector.x%00.json",
                SERVLET + "/connector.x%0d%0aX.json",
                SERVLET + "/connector.x%.json",
                SERVLET + "/connector.x%u0041.json",
                SERVLET + "/connector.x%c0%af.json",
                SERVLET + "\\connector.x.json",
                "/LIBS/SLING/TOPOLOGY/connector.x.json",
                "/libs/sling/topology%2Fconnector.x.json",
                "http://other/libs/sling/topology/../topology/connector.x.json",
                "*",
                "libs/sling/topology/connector.x.json");
        assertRefusedSomehow(
                paths.stream().map(path -> put(path, announcement("x"))).toArray(byte[][]::new));
    }

    @Test
    public void otherMethodsAreRefused() throws Exception {
        assertRefused(
                405,
                request("GET", path("honest")),
                request("HEAD", path("honest")),
                request("POST", path("honest")),
                request("PATCH", path("honest")),
                request("OPTIONS", path("honest")),
                request("put", path("honest")));
        // Some servlet containers know no TRACE and no others.
        assertRefusedSomehow(request("TRACE", path("honest")), request("EVIL", path("honest")));
    }

    /** The servlet container refuses it. */
    @Test
    public void whatIsNoRequestIsRefused() throws Exception {
        byte[] ping = announcement("x").getBytes(StandardCharsets.UTF_8);
        assertRefusedSomehow(
                put(path("x"), ping, "Content-Length: 5"),
                put(path("x"), ping, "Content-Length: -1"),
                put(path("x"), ping, "Content-Length: x"),
                join(head("PUT", path("x"), -1, "Transfer-Encoding: chunked"), "ffffffffffffffff\r\n".getBytes()),
                join(head("PUT", path("x"), -1, "Transfer-Encoding: chunked"), "-1\r\n\r\n".getBytes()),
                join(head("PUT", path("x"), -1, "Transfer-Encoding: chunked"), "x\r\n\r\n".getBytes()),
                join(head("PUT", path("x"), -1, "Transfer-Encoding: evil"), ping),
                "PUT\r\n\r\n".getBytes(),
                "PUT / HTTP/7.3\r\n\r\n".getBytes(),
                new byte[] {22, 3, 1, 0, 5, 1, 0, 0, 1, 0, 13, 10, 13, 10});
    }

    /** The sender says that there is more than it sends. */
    @Test
    public void aBodyThatEndsTooEarlyIsRefused() throws Exception {
        String from = sender();
        try (RawPeer peer = new RawPeer(from, port())) {
            peer.write(head("PUT", path("x"), 10_000));
            peer.write(announcement("x"));
        }
        untilAsserted(() -> assertCounted(from, 400, 1));
    }

    @Test
    public void slowSendersDoNotKeepOthersWaiting() throws Exception {
        configure(Map.of("soTimeout", 1));
        List<RawPeer> slow = new ArrayList<>();
        try {
            String same = sender();
            for (int i = 0; i < 64; i++) {
                slow.add(slow(same));
            }
            // Half of them are one too many of the same sender.
            untilAsserted(
                    () -> assertThat(refused(same, 503) + refused(same, 408)).isGreaterThanOrEqualTo(32));
            assertThat(ping()).isEqualTo(200);
            for (int i = 0; i < 64; i++) {
                slow.add(slow("127.0.2." + (i + 1)));
            }
            assertThat(ping()).isEqualTo(200);
            // One byte now and then does not save them.
            untilAsserted(() -> {
                for (RawPeer each : slow) {
                    if (!each.isAnswered()) {
                        each.write(" ");
                    }
                }
                assertThat(slow).allMatch(HostileConnectorIT::isAnswered);
            });
            assertThat(refused(same, 503) + refused(same, 408)).isEqualTo(64);
            assertThat(refused("127.0.2.64", 408)).isEqualTo(1);
        } finally {
            for (RawPeer each : slow) {
                each.close();
            }
        }
    }

    private RawPeer slow(String from) throws IOException {
        RawPeer peer = new RawPeer(from, port());
        peer.write(head("PUT", path("x"), 1_000));
        peer.write("{");
        return peer;
    }

    private static boolean isAnswered(RawPeer peer) {
        try {
            return peer.isAnswered();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names that are not usable are dropped, and values are texts like any other: what shows them escapes them. */
    @Test
    public void strangeValuesReachNoLogAndNoTerminal() throws Exception {
        String before = topology;
        String strange = announcement(
                        "x",
                        "x",
                        "{\"p\":\"\\u001b[31m\\u0000\\n<script>alert(1)</script>\",\"<b>\":\"x\",\"\\u001b\":\"y\"}",
                        "")
                .replace("peer:80", "\\u001b[31m<script>\\n");
        String from = sender();
        assertThat(send(from, put(path("x"), strange)).status()).isEqualTo(200);
        untilAsserted(() -> assertThat(topology()).contains("cluster-x"));
        try (Terminal terminal = new Terminal(container())) {
            assertThat(terminal.run("discovery:topology")).contains("cluster-x").doesNotContain("\u001b", "\u0000");
        }
        assertThat(send(from, request("DELETE", path("x"))).status()).isEqualTo(200);
        untilAsserted(() -> assertThat(topology()).isEqualTo(before));
        heard += 4;
        untilAsserted(() -> assertThat(recorder.events()).hasSize(heard));
    }
}
