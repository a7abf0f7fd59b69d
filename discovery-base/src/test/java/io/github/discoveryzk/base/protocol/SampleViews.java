// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.model.ViewSlot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Members and views for tests. The instance {@code a} has the runtime id {@code run-a} and the member node {@code m-a}. */
public final class SampleViews {

    /** The token of views from that number on. */
    public static final long TOKEN = 42;

    private SampleViews() {}

    /** Returns a member whose session has its seniority as its id. */
    public static Member member(String id, long seniority, Map<String, String> properties) {
        return new Member("m-" + id, seniority, 0, seniority, record(id, properties));
    }

    public static MemberRecord record(String id, Map<String, String> properties) {
        return MemberRecord.of(id, new ProcessInfo("run-" + id, "host", 1, "/home/" + id, 0), properties);
    }

    public static EstablishedView view(long number, List<Member> members) {
        return new EstablishedView(
                new ViewHead(
                        number,
                        number - 1,
                        Math.min(TOKEN, number),
                        9_000,
                        0,
                        Reason.ofText("a test"),
                        members.get(0).instanceId()),
                members.stream().map(Member::incarnation).toList(),
                Set.of());
    }

    /** Returns that view with all that listeners see, as that member holds it. */
    public static HeldView held(String self, String cluster, long number, List<Member> members) {
        return new HeldView(self, cluster, view(number, members), members);
    }

    /** Returns what a store shows to an instance of this version that collects no acknowledgements. */
    public static StoreSnapshot snapshot(String cluster, List<Member> members, ViewSlot slot) {
        return new StoreSnapshot(
                cluster,
                FormatRange.CURRENT,
                StoreSnapshot.Live.of(members, List.of()),
                slot,
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                List.of());
    }
}
