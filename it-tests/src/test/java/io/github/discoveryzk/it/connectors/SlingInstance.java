// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A member of a cluster of Sling. */
public final class SlingInstance {

    private final SlingCluster cluster;
    private final String id;
    private final int port;

    SlingInstance(SlingCluster cluster, String id, int port) {
        this.cluster = cluster;
        this.id = id;
        this.port = port;
    }

    String id() {
        return id;
    }

    /** Returns the URL that others configure for a connector to this instance, without a context path. */
    public String url() {
        return "http://127.0.0.1:" + port + "/libs/sling/topology/connector";
    }

    /** Opens a connector, which pings once immediately. */
    public void connect(String url) {
        send("connect", Map.of("url", url));
    }

    /** Closes all connectors in order. */
    public void disconnect() {
        send("disconnect", Map.of());
    }

    /** Pings over all connectors that are due. */
    public void ping() {
        send("ping", Map.of());
    }

    /** Pings over all connectors and resets their back-off, as after each event. */
    public void pingByForce() {
        send("ping", Map.of("force", true));
    }

    /** Replaces the properties of this instance. */
    public void offer(Map<String, String> properties) {
        send("offer", Map.of("properties", properties));
    }

    /** Leaves the cluster in order, which closes all connectors. */
    public void leave() {
        send("leave", Map.of());
    }

    /** Returns the only connector of this instance. */
    public Connector connector() {
        List<Connector> all = look("connectors")
                .map(each -> new Connector(
                        (Integer) each.get("status"),
                        (String) each.get("remote"),
                        (Boolean) each.get("connected"),
                        (Boolean) each.get("loop"),
                        (Integer) each.get("nextPing")))
                .toList();
        if (all.size() != 1) {
            throw new AssertionError("not one connector: " + all);
        }
        return all.get(0);
    }

    /** Returns the instances of other clusters that this instance knows through announcements, in their order. */
    @SuppressWarnings("unchecked")
    public List<Known> known() {
        return look("instances")
                .map(each -> new Known(
                        (String) each.get("id"), (String) each.get("cluster"), (Boolean) each.get("leader"), (Map<
                                        String, String>)
                                each.get("properties")))
                .toList();
    }

    /** Returns the ids of the instances of other clusters. */
    public List<String> knownIds() {
        return known().stream().map(Known::id).toList();
    }

    /** Returns the requests that the server of this instance has answered, oldest first. It records one after the client has its reply. */
    public List<Exchange> exchanges() {
        return look("requests")
                .map(each -> new Exchange(
                        (String) each.get("method"),
                        (String) each.get("uri"),
                        (Integer) each.get("status"),
                        (String) each.get("encoding"),
                        (String) each.get("type"),
                        (Boolean) each.get("signed")))
                .toList();
    }

    @SuppressWarnings("unchecked")
    private Stream<Map<String, ?>> look(String part) {
        return ((List<Map<String, ?>>) send("look", Map.of()).get(part)).stream();
    }

    private Map<String, ?> send(String command, Map<String, ?> arguments) {
        Map<String, Object> all = new TreeMap<>(arguments);
        all.put("do", command);
        all.put("member", id);
        return cluster.send(all);
    }

    /**
     * A connector of Sling.
     *
     * @param status the status of the last reply; -1 for none
     * @param remote the id of the instance at the other end; null if it did not say
     * @param connected whether what the peer said is held
     * @param loop whether the peer has found a loop
     * @param nextPing the seconds until the next ping; -1 when it is due
     */
    public record Connector(int status, String remote, boolean connected, boolean loop, int nextPing) {}

    /** An instance of another cluster. */
    public record Known(String id, String cluster, boolean leader, Map<String, String> properties) {}

    /** A request and the status of its reply; encoding and type of the body are empty for none, and the path is as it was sent. */
    public record Exchange(String method, String uri, int status, String encoding, String type, boolean signed) {}
}
