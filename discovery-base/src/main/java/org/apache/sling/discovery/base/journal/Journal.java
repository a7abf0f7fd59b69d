// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.protocol.Facts.Link;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Waiting;
import org.apache.sling.discovery.base.view.RemoteClusters;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recent past of an instance, for display: its status and the reason, the last events and transitions, what needs
 * attention. Writes the log lines, one for each transition. Written by the engine's thread, read by any.
 */
public final class Journal {

    private static final int KEPT = 100;
    private static final long SLOW_MILLIS = 5_000;

    private static final Set<ReasonCode> LISTENERS = EnumSet.of(
            ReasonCode.VIEW_VOID,
            ReasonCode.ANNOUNCING_NEXT,
            ReasonCode.REJOINING_NEXT,
            ReasonCode.STANDING_DOWN_NEXT,
            ReasonCode.ACKNOWLEDGING_NEXT);

    private final Logger log = LoggerFactory.getLogger("org.apache.sling.discovery");
    private final String instanceId;
    private final Time time;
    private final LongSupplier wall;
    private final RecentList<Event> events = new RecentList<>(KEPT);
    private final RecentList<Transition> transitions = new RecentList<>(KEPT);
    private final RecentList<TopologyReport.PropertyChange> propertyChanges = new RecentList<>(KEPT);
    private final SessionStatus status;
    private final RecentDepartures recentDepartures = new RecentDepartures();
    private long waitingSince = Long.MAX_VALUE;
    private Optional<List<Reason>> warned = Optional.empty();
    private boolean leftOut;
    private volatile Standing standing;
    private volatile Optional<Acting> acting = Optional.empty();
    private volatile RemoteClusters remotes = RemoteClusters.NONE;
    private volatile Optional<StoreSnapshot> store = Optional.empty();
    private volatile Knowledge knowledge = Knowledge.NONE;
    private volatile Optional<Began> began;
    private volatile Optional<LastChange> lastChange = Optional.empty();
    private volatile OptionalLong acknowledged = OptionalLong.empty();
    private volatile String address = "the store";
    private volatile String trouble = "";
    private volatile Optional<Reason> setback = Optional.empty();
    private volatile Map<String, Reason> failures = Map.of();

    public Journal(String instanceId, Time time) {
        this.instanceId = instanceId;
        this.time = time;
        this.wall = time.wall();
        this.status = new SessionStatus(time);
        this.standing = new Standing(State.CONNECTING, Waiting.of(ReasonCode.CONNECTING), wall.getAsLong(), 0);
        this.began = Optional.of(new Began(wall.getAsLong(), List.of(Reason.of(ReasonCode.STARTED))));
    }

    public Standing standing() {
        return standing;
    }

    /** Returns the view that listeners were told last; empty before the first. */
    public Optional<Acting> acting() {
        return acting;
    }

    /** Returns the other clusters of that view, each with the present way of its announcement. */
    public RemoteClusters remotes() {
        return remotes;
    }

    /** Returns the snapshot that the last turn of the engine saw; empty without one. */
    public Optional<StoreSnapshot> store() {
        return store;
    }

    /** Sets the address of the cluster, for sentences. */
    public void describe(String clusterAddress) {
        address = clusterAddress;
    }

    public String address() {
        return address;
    }

    /** Returns the change that is going on; empty while a view is held. */
    public Optional<Began> began() {
        return began;
    }

    public Optional<LastChange> lastChange() {
        return lastChange;
    }

    /** Returns the number of the last view whose acknowledgement this instance has requested. */
    public OptionalLong acknowledged() {
        return acknowledged;
    }

    public Knowledge knowledge() {
        return knowledge;
    }

    public SessionStatus sessionStatus() {
        return status;
    }

    public List<Event> events() {
        return events.elements();
    }

    public List<Transition> transitions() {
        return transitions.elements();
    }

    public List<TopologyReport.PropertyChange> propertyChanges() {
        return propertyChanges.elements();
    }

    /** Returns what needs attention now: troubles of the store, unreadable nodes, and failing requests, a sentence each. */
    public List<String> problems(InstanceNames names) {
        List<String> problems = new ArrayList<>();
        if (!trouble.isEmpty()) {
            problems.add(trouble);
        } else if (standing.state() == State.CUT_OFF) {
            // The store needs longer to find out why.
            problems.add(Reason.of(ReasonCode.NO_ANSWER, address).sentence(names::label));
        }
        store.ifPresent(seen -> problems.addAll(seen.problems()));
        Stream.concat(failures.values().stream(), setback.stream())
                .map(reason -> reason.sentence(names::label))
                .forEach(problems::add);
        return problems;
    }

    /** Takes over the result of a turn. A transition is a change of the state by name or of the number of the settled view. */
    public void update(Settling state, Waiting waiting, Link link, Optional<StoreSnapshot> seen) {
        store = seen;
        remember(seen);
        acknowledged = state instanceof Settling.Changing changing ? changing.acknowledged() : OptionalLong.empty();
        status.update(link);
        warnOfListeners(waiting);
        leftOut = state instanceof Settling.Changing changing && (leftOut || isLeftOut(changing, seen));
        State name = name(state, waiting, link);
        long number = state instanceof Settling.Settled settled ? settled.held().number() : 0;
        Waiting explained = state instanceof Settling.Settled settled
                ? members(link.usable() ? ReasonCode.SETTLED_ON : ReasonCode.SUSPENDED_ON, settled.held())
                : unreachable(name).orElse(waiting);
        boolean passes = standing.state() != name || standing.number() != number;
        long since = passes ? wall.getAsLong() : standing.sinceMillis();
        standing = new Standing(name, explained, since, number);
        if (passes) {
            Transition transition =
                    new Transition(since, name, explained, time.monotonic().getAsLong());
            transitions.add(transition);
            log(transition, state);
        }
    }

    private void log(Transition transition, Settling state) {
        String words = transition.words(knowledge.names());
        if (isWarning(transition.to())) {
            log.warn("{} {}: {}", instanceId, transition.to(), words);
        } else {
            log.info("{} {}: {}{}", instanceId, transition.to(), words, cause(state));
        }
    }

    /** Returns whether the log tells a transition to that state as a warning: the connection is lost. */
    static boolean isWarning(State state) {
        return state == State.SUSPENDED || state == State.CUT_OFF;
    }

    private void remember(Optional<StoreSnapshot> seen) {
        recentDepartures.update(seen, wall.getAsLong());
        List<RecentDepartures.Departed> departed = recentDepartures.departed();
        InstanceNames names = recentDepartures.names();
        if (departed != knowledge.departed() || names != knowledge.names()) {
            knowledge = new Knowledge(departed, names);
        }
    }

    /** All members wait for a listener that does not return, so the log names it once. */
    private void warnOfListeners(Waiting waiting) {
        if (!LISTENERS.contains(waiting.code())) {
            waitingSince = Long.MAX_VALUE;
            warned = Optional.empty();
            return;
        }
        long now = wall.getAsLong();
        waitingSince = Math.min(waitingSince, now);
        Optional<List<Reason>> reasons = Optional.of(waiting.reasons());
        if (now - waitingSince >= SLOW_MILLIS && !warned.equals(reasons)) {
            warned = reasons;
            log.warn("{} for {} s: {}", instanceId, (now - waitingSince) / 1_000, words(waiting.reasons()));
        }
    }

    private String words(List<Reason> reasons) {
        return Reason.sentence(reasons, knowledge.names()::label);
    }

    private String cause(Settling state) {
        return state instanceof Settling.Settled settled
                ? " (" + words(settled.held().view().cause()) + ")"
                : "";
    }

    /** Returns whether a view has followed without this instance although its member node lives. */
    private static boolean isLeftOut(Settling.Changing changing, Optional<StoreSnapshot> seen) {
        return seen.flatMap(store -> changing.last()
                        .filter(held -> store.view()
                                .filter(view -> view.number() > held.number())
                                .isPresent())
                        .map(HeldView::self)
                        .filter(self -> store.isLive(self) && !store.isInView(self)))
                .isPresent();
    }

    private State name(Settling state, Waiting waiting, Link link) {
        if (state instanceof Settling.Settled) {
            return link.usable() ? State.SETTLED : State.SUSPENDED;
        }
        boolean before = state.last().isEmpty();
        return switch (waiting.code()) {
            case DISCONNECTED -> before ? State.CONNECTING : State.CUT_OFF;
            case HELD, HELD_BY_PREDECESSOR, INCOMPATIBLE -> State.REFUSED;
            case LEAVING -> State.STOPPED;
            case QUARANTINED -> State.QUARANTINED;
            case ANNOUNCING, REJOINING, STANDING_DOWN, STANDING_DOWN_IDLE -> leftOut ? State.LEFT_OUT : State.JOINING;
            default -> leftOut && LISTENERS.contains(waiting.code())
                    ? State.LEFT_OUT
                    : before ? State.JOINING : State.CHANGING;
        };
    }

    private static Waiting members(ReasonCode code, HeldView held) {
        return Waiting.of(code, held.members().size(), held.members().get(0).instanceId(), held.number());
    }

    /** Returns why there is no usable connection. Before the first view there is none that could be void. */
    private Optional<Waiting> unreachable(State state) {
        return switch (state) {
            case CONNECTING -> Optional.of(Waiting.of(ReasonCode.NO_ANSWER_YET, address));
            case CUT_OFF -> Optional.of(Waiting.of(ReasonCode.CUT_OFF, address));
            default -> Optional.empty();
        };
    }

    public void recordChanging(HeldView last, List<Reason> why) {
        began = Optional.of(new Began(wall.getAsLong(), why));
        event(TopologyEvent.Type.TOPOLOGY_CHANGING, last, why);
    }

    public void recordSettled(Optional<HeldView> last, HeldView next) {
        long now = wall.getAsLong();
        lastChange = Optional.of(
                new LastChange(next.view(), began.map(Began::sinceMillis).orElse(now), now));
        began = Optional.empty();
        acting = Optional.of(new Acting(next, wall.getAsLong()));
        // Another instance may have made the change that was rejected here, so it is not requested any more.
        failures = Map.of();
        differences(last, next);
        if (last.isPresent()) {
            event(TopologyEvent.Type.TOPOLOGY_CHANGED, next, next.view().cause());
        } else {
            event(
                    TopologyEvent.Type.TOPOLOGY_INIT,
                    next,
                    members(ReasonCode.MEMBERS, next).reasons());
        }
    }

    public void recordPropertyChanges(Optional<HeldView> last, HeldView next) {
        acting = Optional.of(new Acting(next, acting.map(Acting::sinceMillis).orElseGet(wall::getAsLong)));
        event(
                TopologyEvent.Type.PROPERTIES_CHANGED,
                next,
                differences(last, next).stream()
                        .map(PropertyDifferences::reason)
                        .toList());
    }

    /** Records the other clusters of the view that listeners received last. */
    public void showRemotes(RemoteClusters shown) {
        remotes = shown;
    }

    /** Records that other clusters have changed, or properties of their instances. */
    public void recordRemotes(HeldView held, RemoteClusters before, RemoteClusters now) {
        event(
                now.differInPropertiesOnly(before)
                        ? TopologyEvent.Type.PROPERTIES_CHANGED
                        : TopologyEvent.Type.TOPOLOGY_CHANGED,
                held,
                now.differences(before));
    }

    private void event(TopologyEvent.Type type, HeldView held, List<Reason> details) {
        events.add(new Event(wall.getAsLong(), type.name(), held.number(), details));
    }

    private List<TopologyReport.PropertyChange> differences(Optional<HeldView> last, HeldView next) {
        List<TopologyReport.PropertyChange> changes = last.map(
                        old -> PropertyDifferences.between(old, next, wall.getAsLong()))
                .orElse(List.of());
        changes.forEach(propertyChanges::add);
        return changes;
    }

    /** Records a refused request until a request of its kind succeeds or a view is settled. Other outcomes are no problem. */
    public void recordFailure(Request request, Outcome outcome) {
        if (outcome.status() != Outcome.Status.REJECTED) {
            return;
        }
        String kind = request.kind().getSimpleName().toLowerCase(Locale.ROOT);
        Map<String, Reason> all = new TreeMap<>(failures);
        Reason reason = Reason.of(ReasonCode.REJECTED, kind, instanceId, outcome.detail());
        if (!reason.equals(all.put(kind, reason))) {
            log.warn("{}", words(List.of(reason)));
        }
        failures = Map.copyOf(all);
    }

    public void recordSuccess(Request request) {
        String kind = request.kind().getSimpleName().toLowerCase(Locale.ROOT);
        if (failures.containsKey(kind)) {
            Map<String, Reason> all = new TreeMap<>(failures);
            all.remove(kind);
            failures = Map.copyOf(all);
        }
    }

    /** Records that the store shows an older view than before. */
    public void recordStoreGoneBack(long shown, long seen) {
        Optional<Reason> reason = Optional.of(Reason.of(ReasonCode.STORE_WENT_BACK, shown, seen));
        if (!setback.equals(reason)) {
            setback = reason;
            log.warn("{}: {}", instanceId, words(List.of(reason.get())));
        }
    }

    /** Replaces the trouble of the store; empty when it is over. */
    public void recordTrouble(String sentence) {
        trouble = sentence;
    }

    /**
     * The status of the instance.
     *
     * @param state by name
     * @param waiting explained
     * @param sinceMillis since when, wall-clock
     * @param number the number of the settled view, 0 while there is none
     */
    public record Standing(State state, Waiting waiting, long sinceMillis, long number) {}

    /**
     * The beginning of a change.
     *
     * @param sinceMillis when, wall-clock
     * @param why why the last view became void, or why there is none
     */
    public record Began(long sinceMillis, List<Reason> why) {}

    /**
     * The last change that was settled; times are wall-clock.
     *
     * @param view the view that followed
     * @param sinceMillis when the change was noticed
     * @param settledMillis when the listeners received the view
     */
    public record LastChange(EstablishedView view, long sinceMillis, long settledMillis) {}

    /**
     * An event that was sent to listeners.
     *
     * @param millis when, wall-clock
     * @param type the event type's name
     * @param viewNumber the number of the new view, or of the old one where there is no new one
     * @param details the change
     */
    public record Event(long millis, String type, long viewNumber, List<Reason> details) {}

    /**
     * A transition between states.
     *
     * @param millis when, wall-clock
     * @param to the new state
     * @param waiting why
     * @param at when, monotonic, for the countdown as it was
     */
    public record Transition(long millis, State to, Waiting waiting, long at) {

        /** Returns the sentence with the countdown as it was. */
        public String words(InstanceNames names) {
            return waiting.words(names::label, at);
        }
    }

    /**
     * What this process has learned about instances that are or were in the store.
     *
     * @param departed the members that left a short time ago, newest first
     * @param names the names of the instances
     */
    public record Knowledge(List<RecentDepartures.Departed> departed, InstanceNames names) {

        /** Nothing is known. */
        static final Knowledge NONE = new Knowledge(List.of(), InstanceNames.NONE);
    }

    /**
     * The view that listeners received last.
     *
     * @param held the view
     * @param sinceMillis since when, wall-clock
     */
    public record Acting(HeldView held, long sinceMillis) {}
}
