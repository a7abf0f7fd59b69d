// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import static org.apache.sling.discovery.commons.model.ReasonCode.AWAITED;
import static org.apache.sling.discovery.commons.model.ReasonCode.HAS_NO_CONNECTION;
import static org.apache.sling.discovery.commons.model.ReasonCode.HAS_STOPPED;
import static org.apache.sling.discovery.commons.model.ReasonCode.ID_IS_HELD;
import static org.apache.sling.discovery.commons.model.ReasonCode.IS_INCOMPATIBLE;
import static org.apache.sling.discovery.commons.model.ReasonCode.LAST_KNOWN;
import static org.apache.sling.discovery.commons.model.ReasonCode.MOVED_ON;
import static org.apache.sling.discovery.commons.model.ReasonCode.NOT_KNOWN;
import static org.apache.sling.discovery.commons.model.ReasonCode.NOT_READ;
import static org.apache.sling.discovery.commons.model.ReasonCode.STANDS;
import static org.apache.sling.discovery.commons.model.ReasonCode.STOPPING;
import static org.apache.sling.discovery.commons.model.ReasonCode.WAITS;
import static org.apache.sling.discovery.commons.model.ReasonCode.WAS_LATE;
import static org.apache.sling.discovery.commons.model.ReasonCode.WAS_LATE_BY_LISTENER;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.journal.RecentDepartures.Departed;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.base.protocol.Candidates;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/** Finds out the state of each instance from what one instance knows at one moment. */
final class MemberStates {

    private final Standing standing;
    private final Optional<Journal.Acting> acting;
    private final Optional<StoreSnapshot> store;
    private final Optional<Candidates> candidates;
    private final OptionalLong acknowledged;
    private final List<Departed> departed;
    private final InstanceNames names;
    private final boolean usable;
    private final long changingSince;
    private final Optional<String> ownListeners;
    private final boolean stands;
    private final Optional<Set<String>> acknowledging;
    private final List<HistoryEntry> history;

    /**
     * Prepares the states.
     *
     * @param listeners the names of the own listeners that have not returned from CHANGING
     * @param read the acknowledgements of the held view that were read for display; empty if none were
     * @param history the known history, in which departures may be explained
     */
    MemberStates(
            Journal journal, List<String> listeners, Optional<Set<Acknowledgement>> read, List<HistoryEntry> history) {
        this.standing = journal.standing();
        this.acting = journal.acting();
        this.store = journal.store();
        this.candidates = store.map(Candidates::of);
        this.acknowledged = journal.acknowledged();
        this.departed = journal.departures().departed();
        this.names = journal.departures().names();
        this.usable = journal.sessionStatus().isUsable();
        this.changingSince = journal.began().map(Journal.Began::sinceMillis).orElse(standing.sinceMillis());
        this.ownListeners =
                Optional.of(Reason.list(listeners, Facts.NAMED_LISTENERS)).filter(named -> !named.isEmpty());
        Optional<HeldView> held = acting.map(Journal.Acting::held);
        this.stands = held.filter(view -> store.filter(seen -> stands(view, seen, candidates.get()))
                        .isPresent())
                .isPresent();
        this.acknowledging = store.flatMap(StoreSnapshot::acknowledgements)
                .or(() -> read)
                .flatMap(all -> held.map(view -> nodes(all, view.number())));
        this.history = history;
    }

    /** Returns the state of a member of the held view. */
    InstanceStatus ofMember(Member member, HeldView held) {
        if (standing.state() == State.SETTLED || standing.state() == State.SUSPENDED) {
            long since = acting.map(Journal.Acting::sinceMillis).orElse(standing.sinceMillis());
            return new InstanceStatus(
                    InstanceState.SETTLED, usable ? "" : words(LAST_KNOWN), Optional.empty(), OptionalLong.of(since));
        }
        if (member.node().equals(held.self())) {
            return ofSelf(member, held);
        }
        if (!usable || store.isEmpty()) {
            return unknown(NOT_KNOWN);
        }
        return store.get().isLive(member.node()) ? ofLive(member, held, store.get()) : ofGone(member);
    }

    /** Returns the state of each instance of another cluster: its own cluster has settled it, or this instance cannot know. */
    InstanceStatus ofRemote() {
        if (usable) {
            return new InstanceStatus(InstanceState.SETTLED, "", Optional.empty(), OptionalLong.empty());
        }
        return standing.state() == State.SUSPENDED
                ? status(InstanceState.SETTLED, Optional.empty(), OptionalLong.empty(), LAST_KNOWN)
                : unknown(NOT_KNOWN);
    }

    /** Returns the state of the reporting instance, which has held a view and is not settled. */
    private InstanceStatus ofSelf(Member self, HeldView held) {
        OptionalLong since = OptionalLong.of(standing.sinceMillis());
        if (standing.state() == State.STOPPED) {
            return ownListeners.isPresent()
                    ? awaited(ownListeners, words(STOPPING))
                    : status(InstanceState.GONE, Optional.empty(), since, HAS_STOPPED);
        }
        if (!usable || store.isEmpty()) {
            return status(InstanceState.CUT_OFF, ownListeners, since, HAS_NO_CONNECTION);
        }
        if (standing.state() == State.REFUSED) {
            return new InstanceStatus(InstanceState.REFUSED, situation(), Optional.empty(), since);
        }
        if (standing.state() == State.LEFT_OUT) {
            return leftOut(ownListeners, since);
        }
        // Without its node the instance has another one, or will announce it; that one is outside of the held view.
        InstanceStatus known = store.get().isLive(self.node()) ? ofLive(self, held, store.get()) : ofGone(self);
        return known.state() == InstanceState.GONE || known.state() == InstanceState.LEFT_OUT
                ? new InstanceStatus(
                        known.state(), known.reason(), ownListeners.or(known::listener), known.sinceMillis())
                : known;
    }

    private InstanceStatus ofLive(Member member, HeldView held, StoreSnapshot seen) {
        Optional<EstablishedView> later = seen.view().filter(view -> view.number() > held.number());
        Optional<String> listener =
                seen.member(member.node()).map(Member::record).flatMap(MemberRecord::waitingFor);
        boolean local = member.node().equals(held.self());
        if (later.isPresent()) {
            return seen.isInView(member.node()) ? movedOn(later.get()) : leftOut(listener, OptionalLong.empty());
        }
        if (stands && local) {
            return awaited(ownListeners, situation());
        }
        if (stands) {
            long since = acting.map(Journal.Acting::sinceMillis).orElse(changingSince);
            return status(InstanceState.SETTLED, Optional.empty(), OptionalLong.of(since), STANDS);
        }
        boolean hasAcknowledged = local
                ? ownListeners.isEmpty() && acknowledged.isPresent() && acknowledged.getAsLong() >= held.number()
                : acknowledging.filter(nodes -> nodes.contains(member.node())).isPresent();
        if (hasAcknowledged) {
            return new InstanceStatus(InstanceState.ACKNOWLEDGED, "", Optional.empty(), OptionalLong.empty());
        }
        if (local && ownListeners.isEmpty()) {
            return awaited(Optional.empty(), situation());
        }
        return local || acknowledging.isPresent() || listener.isPresent()
                ? awaited(local ? ownListeners : listener, words(AWAITED, held.number()))
                : unknown(NOT_READ);
    }

    /** Returns the nodes that have acknowledged a view with that number or a later one. */
    private static Set<String> nodes(Set<Acknowledgement> all, long number) {
        return all.stream()
                .filter(one -> one.number() >= number)
                .map(Acknowledgement::node)
                .collect(Collectors.toSet());
    }

    /** Returns whether the held view is the established one and nothing speaks against it. */
    private static boolean stands(HeldView held, StoreSnapshot seen, Candidates candidates) {
        return seen.view().filter(view -> view.number() == held.number()).isPresent()
                && candidates.agreeWith(held.view())
                && !seen.isAcknowledged(held.view());
    }

    private InstanceStatus ofGone(Member member) {
        return departed.stream()
                .filter(each -> each.member().node().equals(member.node()))
                .findFirst()
                .map(this::ofDeparted)
                .orElseGet(() -> new InstanceStatus(
                        InstanceState.GONE,
                        departure(member, Optional.empty()),
                        Optional.empty(),
                        OptionalLong.empty()));
    }

    /** Returns the state of a member that left a short time ago. */
    InstanceStatus ofDeparted(Departed gone) {
        OptionalLong since = OptionalLong.of(gone.noticedMillis());
        return gone.isLeftOut()
                ? leftOut(gone.member().record().waitingFor(), since)
                : new InstanceStatus(InstanceState.GONE, departure(gone.member(), gone.how()), Optional.empty(), since);
    }

    /** Returns how a member left according to what was noticed, the history, or the cause of the view that followed. */
    private String departure(Member member, Optional<Reason> noticed) {
        return noticed.or(() -> history.stream()
                        .flatMap(entry -> entry.left().stream())
                        .filter(left -> left.member().equals(member.incarnation()))
                        .findFirst()
                        .map(Reason::of))
                .or(() -> store.flatMap(StoreSnapshot::view).stream()
                        .flatMap(view -> view.cause().stream())
                        .filter(reason -> reason.isDeparture(member.instanceId()))
                        .findFirst())
                .orElseGet(() -> Reason.of(ReasonCode.NODE_GONE, member.instanceId()))
                .predicate(names::label);
    }

    /** Returns the state of a live member that the held view does not have. */
    InstanceStatus ofOutsider(Member member) {
        if (!usable) {
            return unknown(NOT_KNOWN);
        }
        StoreSnapshot seen = store.orElseThrow();
        Optional<String> listener = member.record().waitingFor();
        OptionalLong since = OptionalLong.of(member.createdMillis());
        Candidates admitted = candidates.orElseThrow();
        Member holder = admitted.holders().get(member.node());
        if (holder != null) {
            ProcessInfo process = holder.record().process();
            return status(
                    InstanceState.REFUSED,
                    Optional.empty(),
                    since,
                    ID_IS_HELD,
                    process.pid(),
                    process.host(),
                    process.home());
        }
        if (seen.isInView(member.node())) {
            return movedOn(seen.view().orElseThrow());
        }
        if (admitted.outdated().contains(member.node())) {
            return leftOut(listener, OptionalLong.empty());
        }
        return admitted.incompatible().contains(member.node())
                ? status(
                        InstanceState.REFUSED,
                        Optional.empty(),
                        since,
                        IS_INCOMPATIBLE,
                        member.formats(),
                        admitted.formats())
                : status(InstanceState.JOINING, listener, since, WAITS);
    }

    private InstanceStatus awaited(Optional<String> listener, String reason) {
        return new InstanceStatus(InstanceState.AWAITED, reason, listener, OptionalLong.of(changingSince));
    }

    private InstanceStatus leftOut(Optional<String> listener, OptionalLong since) {
        return listener.isPresent()
                ? status(InstanceState.LEFT_OUT, listener, since, WAS_LATE_BY_LISTENER, listener.get())
                : status(InstanceState.LEFT_OUT, listener, since, WAS_LATE);
    }

    private InstanceStatus movedOn(EstablishedView view) {
        return status(InstanceState.MOVED_ON, Optional.empty(), OptionalLong.empty(), MOVED_ON, view.number());
    }

    private InstanceStatus unknown(ReasonCode code) {
        return status(InstanceState.UNKNOWN, Optional.empty(), OptionalLong.empty(), code);
    }

    private InstanceStatus status(
            InstanceState state, Optional<String> listener, OptionalLong since, ReasonCode code, Object... arguments) {
        return new InstanceStatus(state, words(code, arguments), listener, since);
    }

    private String situation() {
        return standing.waiting().sentence(names::label);
    }

    private String words(ReasonCode code, Object... arguments) {
        return Reason.of(code, arguments).sentence(names::label);
    }
}
