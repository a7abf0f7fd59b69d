// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.InstanceNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members whose nodes went away a short time ago, those that are missing for longer, and the names of the instances that this
 * process has seen, for display. Written by one thread, read by any.
 */
public final class RecentDepartures {

    static final int KEPT = 20;
    static final int MISSING_KEPT = 100;
    static final long KEPT_MILLIS = 300_000;

    /** For how long a member that is missing is reported. */
    public static final long MISSING_MILLIS = 3_600_000;

    private static final int NAMES_KEPT = 1_000;
    private volatile List<Departed> departed = List.of();
    private volatile InstanceNames names = InstanceNames.NONE;
    private Optional<StoreSnapshot> last = Optional.empty();
    private List<Member> members = List.of();

    /** When the next departure is over, in wall-clock milliseconds. */
    private long nextOver = Long.MAX_VALUE;

    private boolean anyOpen;

    /** Compares a snapshot with the one before; a snapshot is empty while there is no session. */
    void update(Optional<StoreSnapshot> seen, long wallMillis) {
        boolean changed = seen.isPresent() && seen.get() != last.orElse(null);
        List<Departed> kept = departed;
        if (changed) {
            StoreSnapshot store = seen.get();
            if (!store.members().equals(members)) {
                names = named(store);
                kept = withGone(store, wallMillis);
            }
            if (kept != departed || anyOpen) {
                kept = kept.stream().map(each -> each.resolved(store)).toList();
            }
            members = store.members();
            last = seen;
        }
        if (!kept.equals(departed) || wallMillis >= nextOver) {
            keep(kept, wallMillis);
        }
    }

    /** Members that left by themselves do not displace those that are missing. */
    private void keep(List<Departed> all, long wallMillis) {
        List<Departed> kept = new ArrayList<>();
        int missing = 0;
        nextOver = Long.MAX_VALUE;
        anyOpen = false;
        for (Departed each : all) {
            boolean fits = each.isMissing() ? missing < MISSING_KEPT : kept.size() - missing < KEPT;
            if (fits && each.overMillis() > wallMillis) {
                kept.add(each);
                missing += each.isMissing() ? 1 : 0;
                nextOver = Math.min(nextOver, each.overMillis());
                anyOpen |= each.isOpen();
            }
        }
        departed = List.copyOf(kept);
    }

    /** Forgets the departures of an instance that does not come back. */
    public void dismiss(String instanceId) {
        departed = departed.stream()
                .filter(each -> !each.member().instanceId().equals(instanceId))
                .toList();
    }

    /** Returns the members that have gone, newest first. */
    public List<Departed> departed() {
        return departed;
    }

    /** Returns the names of the instances that were seen. */
    public InstanceNames names() {
        return names;
    }

    private List<Departed> withGone(StoreSnapshot store, long wallMillis) {
        List<Departed> all = new ArrayList<>();
        Optional<EstablishedView> before = last.flatMap(StoreSnapshot::view);
        Set<String> live = store.liveNodes();
        for (Member member : members) {
            if (!live.contains(member.node())) {
                boolean excluded = store.view().or(() -> before).stream()
                        .anyMatch(view -> view.excluded().contains(member.node()));
                all.add(new Departed(
                        member,
                        wallMillis,
                        before.filter(view -> view.leader().node().equals(member.node()))
                                .isPresent(),
                        last.flatMap(StoreSnapshot::leaseProbe),
                        excluded ? Optional.of(lateness(member)) : Optional.empty(),
                        before.filter(view -> view.contains(member.node())).isEmpty()));
            }
        }
        if (all.isEmpty()) {
            return departed;
        }
        all.addAll(departed);
        return all;
    }

    private static Reason lateness(Member member) {
        return Reason.of(
                ReasonCode.LATE,
                member.instanceId(),
                member.record().waitingFor().orElse(""));
    }

    /** Of two instances with one id the holder names it, so it comes last: the member of the view, otherwise the senior one. */
    private InstanceNames named(StoreSnapshot store) {
        Map<String, String> all = new HashMap<>(names.byId().size() > NAMES_KEPT ? Map.of() : names.byId());
        List<Member> present = new ArrayList<>(store.members());
        Collections.reverse(present);
        present.addAll(store.survivors());
        for (Member member : present) {
            InstanceNames.name(member.record().properties())
                    .ifPresentOrElse(name -> all.put(member.instanceId(), name), () -> all.remove(member.instanceId()));
        }
        return all.equals(names.byId()) ? names : InstanceNames.of(all);
    }

    /**
     * A member whose node is gone.
     *
     * @param member its last record
     * @param noticedMillis when this instance noticed it, wall-clock
     * @param led whether it led the established view before
     * @param probeBefore the last lease probe before it left
     * @param how how it left; empty as long as that is not known
     * @param published whether a view without it has been published, which removes its leave record
     */
    public record Departed(
            Member member,
            long noticedMillis,
            boolean led,
            Optional<LeaseProbe> probeBefore,
            Optional<Reason> how,
            boolean published) {

        /** Says whether a view had followed without it because it did not acknowledge. */
        public boolean isExcluded() {
            return how.filter(reason -> reason.code() == ReasonCode.LATE).isPresent();
        }

        /** Says whether a member of the view is known to have been excluded, or to have crashed or lost its session. */
        public boolean isMissing() {
            return isExcluded() || how.filter(reason -> reason.code().isCrash()).isPresent();
        }

        private long overMillis() {
            return noticedMillis + (isMissing() ? MISSING_MILLIS : KEPT_MILLIS);
        }

        /** Says whether a later snapshot may say more of it. */
        private boolean isOpen() {
            return !published && !isExcluded();
        }

        /**
         * Returns this departure with what a snapshot says of it: by its leave record, or that there was none before the next view was
         * published, or by the cause of that view, which is all that an instance knows that does not read the leave records.
         */
        private Departed resolved(StoreSnapshot store) {
            if (!isOpen()) {
                return this;
            }
            Optional<LeaseProbe> probe = store.leaseProbe();
            boolean later = probe.isPresent() && probe.get() != probeBefore.orElse(null);
            boolean unpublished =
                    store.view().filter(view -> view.contains(member.node())).isPresent();
            Optional<Reason> known = probe.flatMap(read -> read.of(member.node()))
                    .map(leaveRecord -> departure(leaveRecord, store))
                    .or(() -> how)
                    .or(() -> later && unpublished
                            ? Optional.of(Reason.of(ReasonCode.SESSION_ENDED, member.instanceId()))
                            : Optional.empty())
                    .or(() -> unpublished ? Optional.empty() : inCause(store));
            return new Departed(
                    member,
                    noticedMillis,
                    led,
                    probeBefore,
                    known,
                    !unpublished && store.view().isPresent());
        }

        private Reason departure(LeaveRecord leaveRecord, StoreSnapshot store) {
            Optional<String> by = Optional.of(leaveRecord.by())
                    .filter(node -> !node.equals(leaveRecord.node()))
                    .map(node -> store.member(node).map(Member::instanceId).orElse(node));
            return Reason.of(new Departure(
                    member.incarnation(), Optional.of(leaveRecord.kind()), by, leaveRecord.afterMillis()));
        }

        private Optional<Reason> inCause(StoreSnapshot store) {
            return store.view().stream()
                    .flatMap(view -> view.cause().stream())
                    .filter(reason -> reason.isDeparture(member.instanceId()))
                    .findFirst();
        }
    }
}
