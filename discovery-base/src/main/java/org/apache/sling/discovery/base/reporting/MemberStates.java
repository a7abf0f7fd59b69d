// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.journal.RecentDepartures.Departed;
import org.apache.sling.discovery.base.protocol.Candidates;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/** Finds out the state of each instance from what one instance knows at one moment. */
final class MemberStates {

    private static final int NAMED_LISTENERS = 3;
    private static final String LAST_KNOWN = "as last known: the connection to the store is lost";
    private static final String CUT_OFF = "this instance has no connection to the store, so it cannot know";
    private static final String BECAUSE = "left because ";

    private final Journal.Standing standing;
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
    private final History history;

    /**
     * Prepares the states.
     *
     * @param listeners the names of the own listeners that have not returned from CHANGING
     * @param read the acknowledgements of the held view that were read for display; empty if none were
     * @param history the known history, in which departures may be explained
     */
    MemberStates(Journal journal, List<String> listeners, Optional<Set<Acknowledgement>> read, History history) {
        this.standing = journal.standing();
        this.acting = journal.acting();
        this.store = journal.store();
        this.candidates = store.map(Candidates::of);
        this.acknowledged = journal.acknowledged();
        this.departed = journal.knowledge().departed();
        this.names = journal.knowledge().names();
        this.usable = journal.sessionStatus().isUsable();
        this.changingSince = journal.began().map(Journal.Began::sinceMillis).orElse(standing.sinceMillis());
        this.ownListeners = named(listeners);
        Optional<HeldView> held = acting.map(Journal.Acting::held);
        this.stands = held.filter(
                        view -> store.filter(seen -> stands(view, seen)).isPresent())
                .isPresent();
        this.acknowledging = store.flatMap(StoreSnapshot::acknowledgements)
                .or(() -> read)
                .flatMap(all -> held.map(view -> nodes(all, view.number())));
        this.history = history;
    }

    /** Returns the state of a member of the held view. */
    InstanceStatus ofMember(Member member, HeldView held) {
        if (standing.state() == State.SETTLED || standing.state() == State.SUSPENDED) {
            String reason = usable ? "" : LAST_KNOWN;
            return InstanceStatus.of(
                    InstanceState.SETTLED,
                    reason,
                    acting.map(Journal.Acting::sinceMillis).orElse(standing.sinceMillis()));
        }
        boolean local = member.node().equals(held.self());
        if (local) {
            return ofSelf(held);
        }
        if (!usable || store.isEmpty()) {
            return unknown(CUT_OFF);
        }
        return store.get().isLive(member.node())
                ? ofLive(member, held, store.get())
                : ofGone(member.node(), member.instanceId());
    }

    /** Returns the state of each instance of another cluster: its own cluster has settled it, or this instance cannot know. */
    InstanceStatus ofRemote() {
        if (usable) {
            return new InstanceStatus(InstanceState.SETTLED, "", Optional.empty(), OptionalLong.empty());
        }
        return standing.state() == State.SUSPENDED
                ? new InstanceStatus(InstanceState.SETTLED, LAST_KNOWN, Optional.empty(), OptionalLong.empty())
                : unknown(CUT_OFF);
    }

    /** Returns the state of the reporting instance, which has held a view and is not settled. */
    private InstanceStatus ofSelf(HeldView held) {
        if (standing.state() == State.STOPPED) {
            return ownListeners.isPresent()
                    ? awaited("is stopping and waits for its listeners", ownListeners)
                    : InstanceStatus.of(InstanceState.GONE, "stopped", standing.sinceMillis());
        }
        if (!usable || store.isEmpty()) {
            return new InstanceStatus(
                    InstanceState.CUT_OFF,
                    "has no connection to the store",
                    ownListeners,
                    OptionalLong.of(standing.sinceMillis()));
        }
        if (standing.state() == State.REFUSED) {
            return InstanceStatus.of(InstanceState.REFUSED, standing.sentence(), standing.sinceMillis());
        }
        if (standing.state() == State.LEFT_OUT) {
            return new InstanceStatus(
                    InstanceState.LEFT_OUT,
                    leftOut(ownListeners),
                    ownListeners,
                    OptionalLong.of(standing.sinceMillis()));
        }
        if (!store.get().isLive(held.self())) {
            // The instance has another member node, or will announce it; that one is outside of the held view.
            return withListeners(ofGone(held.self(), instanceId(held)));
        }
        InstanceStatus known = ofLive(
                held.members().stream()
                        .filter(member -> member.node().equals(held.self()))
                        .findFirst()
                        .orElseThrow(),
                held,
                store.get());
        return known.state() == InstanceState.LEFT_OUT ? withListeners(known) : known;
    }

    private static String instanceId(HeldView held) {
        return held.members().stream()
                .filter(member -> member.node().equals(held.self()))
                .findFirst()
                .orElseThrow()
                .instanceId();
    }

    private InstanceStatus withListeners(InstanceStatus known) {
        return new InstanceStatus(known.state(), known.reason(), ownListeners.or(known::listener), known.sinceMillis());
    }

    private InstanceStatus ofLive(Member member, HeldView held, StoreSnapshot seen) {
        Optional<EstablishedView> established = seen.view();
        Optional<String> listener =
                seen.member(member.node()).map(Member::record).flatMap(MemberRecord::waitingFor);
        boolean local = member.node().equals(held.self());
        if (established.isPresent() && established.get().number() > held.number()) {
            EstablishedView view = established.get();
            if (seen.isInView(member.node())) {
                return new InstanceStatus(
                        InstanceState.MOVED_ON,
                        "is a member of view " + view.number() + ", which this instance does not hold",
                        Optional.empty(),
                        OptionalLong.empty());
            }
            return new InstanceStatus(InstanceState.LEFT_OUT, leftOut(listener), listener, OptionalLong.empty());
        }
        if (stands) {
            return local
                    ? awaited(standing.sentence(), ownListeners)
                    : InstanceStatus.of(
                            InstanceState.SETTLED,
                            "its view stands as far as this instance knows",
                            acting.map(Journal.Acting::sinceMillis).orElse(changingSince));
        }
        if (local) {
            return ofOwnAcknowledgement(held);
        }
        if (acknowledging.filter(nodes -> nodes.contains(member.node())).isPresent()) {
            return acknowledged();
        }
        if (acknowledging.isPresent() || listener.isPresent()) {
            return awaited("has not acknowledged that view " + held.number() + " is over", listener);
        }
        return unknown("this instance has not read the acknowledgements yet");
    }

    private InstanceStatus ofOwnAcknowledgement(HeldView held) {
        if (ownListeners.isPresent()) {
            return awaited("has not acknowledged that view " + held.number() + " is over", ownListeners);
        }
        return acknowledged.isPresent() && acknowledged.getAsLong() >= held.number()
                ? acknowledged()
                : awaited(standing.sentence(), Optional.empty());
    }

    private static InstanceStatus acknowledged() {
        return new InstanceStatus(InstanceState.ACKNOWLEDGED, "", Optional.empty(), OptionalLong.empty());
    }

    /** Returns the nodes that have acknowledged a view with that number or a later one. */
    private static Set<String> nodes(Set<Acknowledgement> all, long number) {
        return all.stream()
                .filter(one -> one.number() >= number)
                .map(Acknowledgement::node)
                .collect(Collectors.toSet());
    }

    /** Returns whether the held view is the established one and nothing speaks against it. */
    private static boolean stands(HeldView held, StoreSnapshot seen) {
        return seen.view().filter(view -> view.number() == held.number()).isPresent()
                && Candidates.of(seen).agreeWith(held.view())
                && !seen.isAcknowledged(held.view());
    }

    private InstanceStatus awaited(String reason, Optional<String> listener) {
        return new InstanceStatus(InstanceState.AWAITED, reason, listener, OptionalLong.of(changingSince));
    }

    private static InstanceStatus unknown(String reason) {
        return new InstanceStatus(InstanceState.UNKNOWN, reason, Optional.empty(), OptionalLong.empty());
    }

    /** Returns the state of an instance of which the member node is gone. */
    InstanceStatus ofGone(String node, String instanceId) {
        Optional<Departed> known = departed.stream()
                .filter(each -> each.member().node().equals(node))
                .findFirst();
        return known.map(this::ofDeparted)
                .orElseGet(() -> new InstanceStatus(
                        InstanceState.GONE,
                        recorded(node, instanceId, Optional.empty()).orElse("its member node is gone"),
                        Optional.empty(),
                        OptionalLong.empty()));
    }

    /** Returns the state of a member that left a short time ago. */
    InstanceStatus ofDeparted(Departed gone) {
        Optional<String> listener = gone.member().record().waitingFor();
        if (gone.leftOut()) {
            return new InstanceStatus(
                    InstanceState.LEFT_OUT, leftOut(listener), listener, OptionalLong.of(gone.noticedMillis()));
        }
        String reason = gone.note()
                .map(note -> note.kind().words()
                        + (note.by().equals(note.node()) ? "" : " by " + names.label(instance(note.by()))))
                .or(() -> gone.noteless() ? Optional.of("its session ended") : Optional.empty())
                .or(() -> recorded(gone.member().node(), gone.member().instanceId(), gone.cause()))
                .orElse("its member node is gone");
        return InstanceStatus.of(InstanceState.GONE, reason, gone.noticedMillis());
    }

    private static String leftOut(Optional<String> listener) {
        return "did not acknowledge in time"
                + listener.map(name -> ", because listener " + name + " had not returned")
                        .orElse("")
                + "; it rejoins at the end when its listeners have returned";
    }

    /** Returns the instance id of the owner of a node, or the node if it is not known. */
    private String instance(String node) {
        Stream<Member> live = store.stream().flatMap(seen -> seen.members().stream());
        Stream<Member> held = acting.stream().flatMap(each -> each.held().members().stream());
        return Stream.of(live, held, departed.stream().map(Departed::member))
                .flatMap(each -> each)
                .filter(member -> member.node().equals(node))
                .findFirst()
                .map(Member::instanceId)
                .orElse(node);
    }

    /**
     * Returns how an incarnation left according to the history, or else to the cause of the view that followed, which has a
     * clause for each departure.
     */
    private Optional<String> recorded(String node, String instanceId, Optional<String> cause) {
        Optional<String> inHistory = history.entries().stream()
                .flatMap(entry -> entry.left().stream())
                .filter(left -> left.who().node().equals(node))
                .findFirst()
                .map(History.Departed::words);
        Stream<String> clauses = cause
                .or(() -> store.flatMap(StoreSnapshot::view).map(EstablishedView::cause))
                .stream()
                .flatMap(text -> Stream.of(text.split("; ")));
        return inHistory
                .or(() -> clauses.filter(clause -> clause.startsWith(instanceId + " ") && !clause.endsWith(" joined"))
                        .findFirst())
                .map(clause -> withoutSubject(clause, instanceId, names.label(instanceId)))
                .map(rest -> rest.startsWith(BECAUSE) ? rest.substring(BECAUSE.length()) : rest)
                .map(names::labelled);
    }

    private static String withoutSubject(String clause, String... subjects) {
        return Stream.of(subjects)
                .filter(subject -> clause.startsWith(subject + " "))
                .findFirst()
                .map(subject -> clause.substring(subject.length() + 1))
                .orElse(clause);
    }

    /** Returns the state of a live member that the held view does not have. */
    InstanceStatus ofOutsider(Member member) {
        StoreSnapshot seen = store.orElseThrow();
        Optional<String> listener = member.record().waitingFor();
        if (!usable) {
            return unknown(CUT_OFF);
        }
        Member holder = candidates.orElseThrow().holders().get(member.node());
        if (holder != null) {
            ProcessInfo process = holder.record().process();
            return InstanceStatus.of(
                    InstanceState.REFUSED,
                    "its instance id is held by process " + process.pid() + " on host " + process.host() + ", home "
                            + process.home() + ", so it is refused",
                    member.createdMillis());
        }
        Optional<EstablishedView> established = seen.view().filter(view -> seen.isInView(member.node()));
        if (established.isPresent()) {
            return new InstanceStatus(
                    InstanceState.MOVED_ON,
                    "is a member of view " + established.get().number() + ", which this instance does not hold",
                    Optional.empty(),
                    OptionalLong.empty());
        }
        if (candidates.orElseThrow().outdated().contains(member.node())) {
            return new InstanceStatus(InstanceState.LEFT_OUT, leftOut(listener), listener, OptionalLong.empty());
        }
        if (candidates.orElseThrow().incompatible().contains(member.node())) {
            return InstanceStatus.of(
                    InstanceState.REFUSED,
                    "it reads and writes " + member.formats() + " of records, the members "
                            + candidates.orElseThrow().formats() + ", so it is refused",
                    member.createdMillis());
        }
        return new InstanceStatus(
                InstanceState.JOINING,
                "waits to be admitted to the next view",
                listener,
                OptionalLong.of(member.createdMillis()));
    }

    private static Optional<String> named(List<String> listeners) {
        if (listeners.isEmpty()) {
            return Optional.empty();
        }
        int more = listeners.size() - NAMED_LISTENERS;
        String first = String.join(", ", listeners.subList(0, Math.min(NAMED_LISTENERS, listeners.size())));
        return Optional.of(more > 0 ? first + " and " + more + " more" : first);
    }
}
