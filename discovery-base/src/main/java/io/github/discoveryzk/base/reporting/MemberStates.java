// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.journal.RecentDepartures.Departed;
import io.github.discoveryzk.base.journal.Standing;
import io.github.discoveryzk.base.protocol.Candidates;
import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds out the state of each instance from what one instance knows at one moment. */
final class MemberStates {

    private final Standing standing;
    private final List<Departed> departed;
    private final Optional<String> ownListeners;
    private final boolean stands;
    private final Optional<Set<String>> acknowledging;

    /**
     * Prepares the states.
     *
     * @param departed the members that have left a short time ago
     * @param listeners the names of the local listeners that have not returned from CHANGING
     * @param read the acknowledgements of the held view that were read for display; empty if none were
     */
    MemberStates(
            Standing standing, List<Departed> departed, List<String> listeners, Optional<Set<Acknowledgement>> read) {
        this.standing = standing;
        this.departed = departed;
        this.ownListeners =
                Optional.of(Reason.list(listeners, Facts.NAMED_LISTENERS)).filter(named -> !named.isEmpty());
        this.stands = standing.held()
                .filter(held ->
                        standing.store().filter(seen -> stands(held, seen)).isPresent())
                .isPresent();
        this.acknowledging = standing.store()
                .flatMap(StoreSnapshot::acknowledgements)
                .or(() -> read)
                .flatMap(all -> standing.held().map(held -> nodes(all, held.number())));
    }

    /** Returns the state of a member of the held view. */
    InstanceStatus ofMember(Member member, HeldView held) {
        if (standing.name().isHolding()) {
            return standing.isUsable()
                    ? InstanceStatus.of(InstanceState.SETTLED, OptionalLong.of(standing.heldSinceMillis()))
                    : InstanceStatus.of(
                            InstanceState.SETTLED,
                            OptionalLong.of(standing.status().sinceMillis()),
                            Reason.of(ReasonCode.LAST_KNOWN));
        }
        if (member.node().equals(held.self())) {
            return ofSelf(member, held);
        }
        if (!standing.isUsable() || standing.store().isEmpty()) {
            return known(InstanceState.UNKNOWN, Reason.of(ReasonCode.NOT_KNOWN));
        }
        return standing.store().get().isLive(member.node())
                ? ofLive(member, held, standing.store().get())
                : ofGone(member);
    }

    /** Returns the state of each instance of another cluster: its own cluster has settled it, or this instance cannot know. */
    InstanceStatus ofRemote() {
        if (standing.isUsable()) {
            return known(InstanceState.SETTLED);
        }
        return standing.name() == State.SUSPENDED
                ? known(InstanceState.SETTLED, Reason.of(ReasonCode.LAST_KNOWN))
                : known(InstanceState.UNKNOWN, Reason.of(ReasonCode.NOT_KNOWN));
    }

    /** Returns the state of the reporting instance, which has held a view and is not settled. */
    private InstanceStatus ofSelf(Member self, HeldView held) {
        OptionalLong since = OptionalLong.of(standing.status().sinceMillis());
        if (standing.name() == State.STOPPED) {
            return ownListeners.isPresent()
                    ? awaited(ownListeners, List.of(Reason.of(ReasonCode.STOPPING)))
                    : InstanceStatus.of(InstanceState.GONE, since, Reason.of(ReasonCode.HAS_STOPPED));
        }
        if (!standing.isUsable() || standing.store().isEmpty()) {
            return new InstanceStatus(
                    InstanceState.CUT_OFF, List.of(Reason.of(ReasonCode.HAS_NO_CONNECTION)), ownListeners, since);
        }
        if (standing.name() == State.REFUSED) {
            return new InstanceStatus(InstanceState.REFUSED, standing.status().reasons(), Optional.empty(), since);
        }
        if (standing.name() == State.EXCLUDED) {
            return excluded(self, ownListeners, since);
        }
        // Without its node the instance has another one, or will announce it; that one is outside of the held view.
        InstanceStatus known = standing.store().get().isLive(self.node())
                ? ofLive(self, held, standing.store().get())
                : ofGone(self);
        return known.state() == InstanceState.GONE || known.state() == InstanceState.EXCLUDED
                ? new InstanceStatus(known.state(), known.why(), ownListeners.or(known::listener), known.sinceMillis())
                : known;
    }

    private InstanceStatus ofLive(Member member, HeldView held, StoreSnapshot seen) {
        Optional<EstablishedView> later = seen.view().filter(view -> view.number() > held.number());
        boolean local = member.node().equals(held.self());
        Optional<String> listener =
                seen.member(member.node()).map(Member::record).flatMap(MemberRecord::waitingFor);
        if (later.isPresent()) {
            return seen.isInView(member.node())
                    ? movedOn(later.get())
                    : excluded(member, listener, OptionalLong.empty());
        }
        if (stands && !local) {
            return InstanceStatus.of(
                    InstanceState.SETTLED, OptionalLong.of(standing.heldSinceMillis()), Reason.of(ReasonCode.STANDS));
        }
        if (!stands && hasAcknowledged(member, held.number(), local)) {
            return known(InstanceState.ACKNOWLEDGED);
        }
        List<Reason> awaited = List.of(Reason.of(ReasonCode.AWAITED, held.number()));
        if (local) {
            boolean isForListeners = !stands && ownListeners.isPresent();
            return awaited(
                    ownListeners, isForListeners ? awaited : standing.status().reasons());
        }
        return acknowledging.isPresent() || listener.isPresent()
                ? awaited(listener, awaited)
                : known(InstanceState.UNKNOWN, Reason.of(ReasonCode.NOT_READ));
    }

    private boolean hasAcknowledged(Member member, long number, boolean local) {
        return local
                ? ownListeners.isEmpty() && standing.hasAcknowledged(number)
                : acknowledging.filter(nodes -> nodes.contains(member.node())).isPresent();
    }

    /** Returns the nodes that have acknowledged a view with that number or a later one. */
    private static Set<String> nodes(Set<Acknowledgement> all, long number) {
        return all.stream()
                .filter(one -> one.number() >= number)
                .map(Acknowledgement::node)
                .collect(Collectors.toSet());
    }

    /** Returns whether the held view is the established one and nothing speaks against it. */
    private boolean stands(HeldView held, StoreSnapshot seen) {
        return seen.view().filter(view -> view.number() == held.number()).isPresent()
                && standing.facts().candidates().agreeWith(held.view())
                && !seen.isAcknowledged(held.view());
    }

    private InstanceStatus ofGone(Member member) {
        return departed.stream()
                .filter(each -> each.member().node().equals(member.node()))
                .findFirst()
                .map(this::ofDeparted)
                .orElseGet(() -> known(InstanceState.GONE, Reason.of(ReasonCode.NODE_GONE, member.instanceId())));
    }

    /** Returns the state of a member that left a short time ago. */
    InstanceStatus ofDeparted(Departed gone) {
        OptionalLong since = OptionalLong.of(gone.noticedMillis());
        Member member = gone.member();
        return gone.isExcluded()
                ? excluded(member, member.record().waitingFor(), since)
                : InstanceStatus.of(
                        InstanceState.GONE,
                        since,
                        gone.how().orElseGet(() -> Reason.of(ReasonCode.NODE_GONE, member.instanceId())));
    }

    /** Returns the state of a live member that the held view does not have. */
    InstanceStatus ofOutsider(Member member) {
        if (!standing.isUsable()) {
            return known(InstanceState.UNKNOWN, Reason.of(ReasonCode.NOT_KNOWN));
        }
        OptionalLong since = OptionalLong.of(member.createdMillis());
        Candidates admitted = standing.facts().candidates();
        Member holder = admitted.refused().holders().get(member.node());
        if (holder != null) {
            ProcessInfo process = holder.record().process();
            return InstanceStatus.of(
                    InstanceState.REFUSED,
                    since,
                    Reason.of(ReasonCode.ID_IS_HELD, process.pid(), process.host(), process.home()));
        }
        if (standing.store().orElseThrow().isInView(member.node())) {
            return movedOn(standing.store().orElseThrow().view().orElseThrow());
        }
        Optional<String> listener = member.record().waitingFor();
        if (admitted.refused().outdated().contains(member.node())) {
            return excluded(member, listener, OptionalLong.empty());
        }
        return admitted.refused().incompatible().contains(member.node())
                ? InstanceStatus.of(
                        InstanceState.REFUSED,
                        since,
                        Reason.of(ReasonCode.IS_INCOMPATIBLE, member.formats(), admitted.formats()))
                : new InstanceStatus(InstanceState.JOINING, List.of(Reason.of(ReasonCode.WAITS)), listener, since);
    }

    private InstanceStatus awaited(Optional<String> listener, List<Reason> why) {
        return new InstanceStatus(
                InstanceState.AWAITED, why, listener, OptionalLong.of(standing.changingSinceMillis()));
    }

    private static InstanceStatus excluded(Member member, Optional<String> listener, OptionalLong since) {
        Reason why = listener.map(name -> Reason.of(ReasonCode.WAS_LATE_BY_LISTENER, member.instanceId(), name))
                .orElseGet(() -> Reason.of(ReasonCode.WAS_LATE, member.instanceId()));
        return new InstanceStatus(InstanceState.EXCLUDED, List.of(why), listener, since);
    }

    private static InstanceStatus movedOn(EstablishedView view) {
        return known(InstanceState.MOVED_ON, Reason.of(ReasonCode.MOVED_ON, view.number()));
    }

    private static InstanceStatus known(InstanceState state, Reason... why) {
        return InstanceStatus.of(state, OptionalLong.empty(), why);
    }
}
