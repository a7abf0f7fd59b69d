// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.journal.RecentDepartures.Departed;
import io.github.discoveryzk.base.protocol.SampleViews;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.report.InstanceNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecentDeparturesTest {

    private final RecentDepartures departures = new RecentDepartures();

    private static Member member(String id) {
        MemberRecord record = MemberRecord.of(
                id,
                new ProcessInfo("run-" + id, "host", 1, "/home", 0),
                Map.of(InstanceNames.PROPERTY, "name of " + id));
        return new Member("m-" + id, id.charAt(0), 0, 1, record);
    }

    private static EstablishedView view(long number, String members, String cause) {
        return new EstablishedView(
                new ViewHead(
                        number,
                        number - 1,
                        1,
                        0,
                        0,
                        cause.isEmpty() ? List.of() : List.of(Reason.of(ReasonCode.valueOf(cause), "b")),
                        "a"),
                ids(members).map(id -> member(id).incarnation()).toList(),
                Set.of());
    }

    private static Stream<String> ids(String text) {
        return text.chars().mapToObj(each -> String.valueOf((char) each));
    }

    private void see(long millis, String live, EstablishedView view, LeaseProbe probe) {
        List<Member> members = ids(live).map(RecentDeparturesTest::member).toList();
        StoreSnapshot seen = SampleViews.snapshot("c", members, new ViewSlot(1, 1, 0, Optional.of(view)))
                .withLeaseProbe(Optional.ofNullable(probe));
        departures.update(Optional.of(seen), millis);
    }

    private Departed only() {
        assertThat(departures.departed()).hasSize(1);
        return departures.departed().get(0);
    }

    @Test
    void theLeaveRecordIsKeptThoughItIsRemoved() {
        EstablishedView view = view(1, "ab", "");
        LeaveRecord leaveRecord = LeaveRecord.own("m-b", Kind.STOPPED);
        see(10, "ab", view, null);
        see(20, "a", view, null);
        see(30, "a", view, new LeaseProbe(1, Set.of(leaveRecord)));
        see(40, "a", view(2, "a", "SESSION_ENDED"), new LeaseProbe(1, Set.of()));

        assertThat(only().how()).contains(Reason.of(ReasonCode.STOPPED, "b"));
    }

    @Test
    void withoutANoteTheSessionEnded() {
        EstablishedView view = view(1, "ab", "");
        LeaseProbe before = new LeaseProbe(1, Set.of());
        see(10, "ab", view, before);
        see(20, "a", view, before);
        assertThat(only().how()).as("read before it left").isEmpty();
        see(30, "a", view, new LeaseProbe(1, Set.of()));

        assertThat(only().how()).contains(Reason.of(ReasonCode.SESSION_ENDED, "b"));
    }

    @Test
    void aNoteReadAfterThePublicationProvesNothing() {
        see(10, "ab", view(1, "ab", ""), null);
        see(20, "a", view(2, "a", "STOPPED"), null);
        see(30, "a", view(2, "a", "STOPPED"), new LeaseProbe(1, Set.of()));

        assertThat(only().how()).contains(Reason.of(ReasonCode.STOPPED, "b"));
    }

    @Test
    void aLostSessionIsNoDeparture() {
        EstablishedView view = view(1, "abc", "");
        see(10, "abc", view, null);
        departures.update(Optional.empty(), 20);
        assertThat(departures.departed()).isEmpty();
        see(30, "ac", view, null);

        assertThat(only().member().instanceId()).isEqualTo("b");
    }

    @Test
    void leavesDoNotDisplaceAMissingMember() {
        String all = "abcdefghijklmnopqrstuvwxyz";
        see(10, all, view(1, all, ""), null);
        see(20, all.replace("b", ""), view(2, all.replace("b", ""), "SESSION_ENDED"), null);
        see(30, "a", view(3, "a", ""), null);

        assertThat(departures.departed()).hasSize(RecentDepartures.KEPT + 1);
        assertThat(departures.departed().get(RecentDepartures.KEPT).isMissing()).isTrue();
    }

    /** The name is that of all texts with the id, old ones too. */
    @Test
    void aCopyDoesNotRenameTheHolderOfItsId() {
        ViewSlot none = new ViewSlot(1, 0, 0, Optional.empty());
        ViewSlot established = new ViewSlot(1, 1, 0, Optional.of(view(1, "a", "")));
        Map<String, String> other = Map.of(InstanceNames.PROPERTY, "copy");
        assertThat(nameOfA(none, 'z', other)).as("of the senior").contains("name of a");
        assertThat(nameOfA(established, 'z', other)).contains("name of a");
        assertThat(nameOfA(established, 'z', Map.of())).contains("name of a");
        assertThat(nameOfA(established, 1, other)).as("of the member").contains("name of a");
    }

    private static Optional<String> nameOfA(ViewSlot slot, int seniority, Map<String, String> properties) {
        ProcessInfo process = new ProcessInfo("run", "host", 2, "/copy", 0);
        Member copy = new Member("m-copy", seniority, 0, 2, MemberRecord.of("a", process, properties));
        RecentDepartures seen = new RecentDepartures();
        seen.update(Optional.of(SampleViews.snapshot("c", List.of(member("a"), copy), slot)), 10);
        return seen.names().name("a");
    }
}
