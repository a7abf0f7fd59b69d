// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Announcements for tests, and what a refusal looks like. */
public final class Messages {
    public static final String A1 = "a1000000-0000-4000-8000-000000000001";
    public static final String A2 = "a2000000-0000-4000-8000-000000000002";
    public static final String C1 = "c1000000-0000-4000-8000-000000000003";

    /** Cluster A tells what it knows of itself and of cluster C, as Sling writes it. */
    public static final String PING = "{\"ownerId\":\"" + A1
            + "\",\"protocolVersion\":1,\"created\":1767225600000,\"inherited\":false,\"serverInfo\":\"a1.example:8080\","
            + "\"localClusterView\":{\"id\":\"cluster-a\",\"instances\":["
            + "{\"slingId\":\"" + A1
            + "\",\"isLeader\":true,\"cluster\":\"cluster-a\",\"properties\":{\"role\":\"author\"}},"
            + "{\"slingId\":\"" + A2 + "\",\"isLeader\":false,\"cluster\":\"cluster-a\",\"properties\":{}}]},"
            + "\"topologyAnnouncements\":[{\"ownerId\":\"" + C1
            + "\",\"protocolVersion\":1,\"created\":1767225600000,\"inherited\":false,\"serverInfo\":\"c1.example:8080\","
            + "\"localClusterView\":{\"id\":\"cluster-c\",\"instances\":["
            + "{\"slingId\":\"" + C1 + "\",\"isLeader\":true,\"cluster\":\"cluster-c\",\"properties\":{}}]},"
            + "\"topologyAnnouncements\":[]}]}";

    private Messages() {}

    /** A cluster whose first instance leads. */
    public static RemoteCluster cluster(String id, String... instances) {
        return new RemoteCluster(
                id,
                Stream.of(instances)
                        .map(each -> new RemoteInstance(each, Map.of()))
                        .toList(),
                instances[0]);
    }

    /** A cluster of one with these properties. */
    public static RemoteCluster cluster(String id, String instance, Map<String, String> properties) {
        return new RemoteCluster(id, List.of(new RemoteInstance(instance, properties)), instance);
    }

    /** What an instance tells of its cluster. */
    public static Announcement by(String owner, RemoteCluster cluster, Announcement... nested) {
        return Announcement.of(owner, cluster, nested);
    }

    /** What the only instance of a cluster tells. */
    public static Announcement single(String id, Announcement... nested) {
        return by(id, cluster("cluster-" + id, id), nested);
    }

    /** The message with an announcement. */
    public static Message message(Announcement announcement) {
        return Message.of(announcement, 1);
    }

    /** The owners of what is nested in a message. */
    public static List<String> owners(Message message) {
        return nested(message).stream().map(Announcement::ownerId).toList();
    }

    public static List<Announcement> nested(Message message) {
        return message.announcement().orElseThrow().nested();
    }

    public static Announcement chain(int depth) {
        return Stream.iterate(single("end"), inner -> single("x", inner))
                .skip(depth - 1L)
                .findFirst()
                .orElseThrow();
    }

    public static AbstractThrowableAssert<?, ? extends Throwable> assertInvalid(Reason reason, ThrowingCallable call) {
        Throwable thrown = Assertions.catchThrowable(call);
        assertThat(thrown).isInstanceOf(InvalidMessage.class);
        assertThat(((InvalidMessage) thrown).reason()).as(thrown.getMessage()).isEqualTo(reason);
        assertThat(thrown.getMessage()).isNotBlank().matches("[ -~]*").hasSizeLessThan(600);
        return assertThat(thrown);
    }
}
