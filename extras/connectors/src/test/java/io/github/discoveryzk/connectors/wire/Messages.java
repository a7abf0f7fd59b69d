// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Announcements for tests, and what a refusal looks like. */
public final class Messages {
    public static final String A1 = "a1000000-0000-4000-8000-000000000001";
    public static final String A2 = "a2000000-0000-4000-8000-000000000002";
    public static final String C1 = "c1000000-0000-4000-8000-000000000003";

    /** Cluster A tells what it knows of itself and of cluster C, as Sling writes it. */
    public static final String PING = file("request");

    private Messages() {}

    /** A message as Sling writes it, byte by byte. */
    static String file(String name) {
        try (InputStream in = Messages.class.getResourceAsStream("/wire/" + name + ".json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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

    /**
     * Reads an announcement such as {@code a1@a=a1,a2(c1@c+d1)}: owner, cluster, its instances and what is nested. Without instances the owner
     * is the only one, without a cluster it is that of {@link #single}.
     */
    public static Announcement read(String text) {
        int open = text.indexOf('(');
        String[] head = text.substring(0, open < 0 ? text.length() : open).split("[@=]");
        List<Announcement> nested = new ArrayList<>();
        int depth = 0;
        int begin = open + 1;
        for (int i = open; open >= 0 && i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0 || depth == 1 && c == '+') {
                nested.add(read(text.substring(begin, i)));
                begin = i + 1;
            }
        }
        String id = head.length > 1 ? head[1] : "cluster-" + head[0];
        String[] instances = head.length > 2 ? head[2].split(",") : new String[] {head[0]};
        return by(head[0], cluster(id, instances), nested.toArray(Announcement[]::new));
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
