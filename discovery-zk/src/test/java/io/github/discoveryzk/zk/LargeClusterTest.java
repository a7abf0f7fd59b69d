// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a cluster of a thousand members takes in bytes. */
class LargeClusterTest extends OneServer {
    private static final int LARGE = 1_000;
    private static final int KIB = 1_024;

    /** Replies to pings, and numbers that have more digits. */
    private static final int SLACK = 100;

    private final Random random = new Random(7);

    @Test
    void recordsAreSmall() throws Exception {
        EstablishedView before = view(8, incarnations(LARGE));
        EstablishedView view = withoutMember(before, 500);
        int viewBytes = Codecs.write(view, 1).length;
        int entryBytes = Codecs.write(leave(before, view, 500), 1).length;
        Map<String, String> properties = new java.util.TreeMap<>();
        for (int i = 0; i < 20; i++) {
            properties.put("org.example.property" + i, "a value of some length " + random.nextLong());
        }
        ProcessInfo process = new ProcessInfo(id(), "host-17.example.org", 12_345, "/opt/example/launcher", 1_700_000);
        int memberBytes = Codecs.write(MemberRecord.of(id(), process, properties)).length;
        System.out.println("N=" + LARGE + ": view " + viewBytes + " bytes, history entry of one leave " + entryBytes
                + ", record of a member with 20 properties " + memberBytes);

        assertThat(viewBytes).isLessThan(64 * KIB);
        assertThat(entryBytes).isLessThan(KIB);
        assertThat(memberBytes).isLessThan(4 * KIB);
    }

    /** All that the server sends to one member, in small and large clusters. */
    @Test
    void leaveSendsAMemberTheSameNumberOfBytesInAnyCluster() {
        long small = bytesOfOneLeave(10);
        long large = bytesOfOneLeave(LARGE);
        System.out.println("The publication after one leave sends each member " + small + " bytes with 10 members, "
                + large + " with " + LARGE);
        assertThat(large).isLessThan(small + SLACK);
    }

    private long bytesOfOneLeave(int size) {
        try (TcpProxy proxy = new TcpProxy(server.port());
                Witness publisher = witness("publisher-" + size);
                Witness member = witness("member-" + size, ZooKeeperStoreConfig.of(proxy.address()))) {
            Member own = publisher.join();
            member.awaitSnapshot(all -> all.isLive(own.node()));
            long number = publisher.snapshot().slot().nextNumber();
            EstablishedView before = view(number, incarnations(size));
            publish(
                    publisher,
                    member,
                    before,
                    new HistoryEntry(ViewDifference.between(Optional.empty(), before), List.of(), 0, 0));
            member.perform(new Request.Probe());

            long sent = proxy.replied();
            EstablishedView after = withoutMember(before, size / 2);
            publish(publisher, member, after, leave(before, after, size / 2));
            return proxy.replied() - sent;
        }
    }

    private static void publish(Witness publisher, Witness member, EstablishedView view, HistoryEntry entry) {
        int version = publisher.snapshot().slot().version();
        publisher.perform(new Request.Publish(view, version, publisher.own().node(), entry, Set.of()));
        for (Witness one : List.of(publisher, member)) {
            one.awaitSnapshot(all -> all.view().equals(Optional.of(view)));
        }
    }

    private HistoryEntry leave(EstablishedView before, EstablishedView view, int position) {
        Departure departure = new Departure(
                before.members().get(position),
                Optional.of(LeaveRecord.Kind.EVICTED),
                Optional.of(before.leader().instanceId()),
                0);
        return new HistoryEntry(
                ViewDifference.between(Optional.of(before), view), List.of(departure), 1_700_000_000_000L, 12);
    }

    private static EstablishedView withoutMember(EstablishedView before, int position) {
        List<Incarnation> members = new ArrayList<>(before.members());
        members.remove(position);
        return view(before.number() + 1, members);
    }

    private static EstablishedView view(long number, List<Incarnation> members) {
        String leader = members.get(0).instanceId();
        return new EstablishedView(
                new ViewHead(
                        number,
                        number - 1,
                        number,
                        10_000,
                        1_700_000_000_000L,
                        Reason.ofText(leader + " was evicted by " + leader),
                        leader),
                members,
                Set.of());
    }

    private List<Incarnation> incarnations(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> new Incarnation(String.format("m-%016x-1-1-%010d", random.nextLong(), i), id()))
                .toList();
    }

    private String id() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
