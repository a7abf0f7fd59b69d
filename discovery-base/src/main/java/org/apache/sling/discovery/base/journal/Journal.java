// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.protocol.Facts.Link;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Waiting;
import org.apache.sling.discovery.base.view.RemoteClusters;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.Change;
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

    private final Logger log;
    private final String instanceId;
    private final Time time;
    private final LongSupplier wall;
    private final RecentList<TopologyReport.Event> events = new RecentList<>(KEPT);
    private final RecentList<TopologyReport.Transition> transitions = new RecentList<>(KEPT);
    private final RecentList<TopologyReport.PropertyChange> propertyChanges = new RecentList<>(KEPT);
    private final SessionStatus status;
    private final RecentDepartures recentDepartures = new RecentDepartures();
    private long waitingSince = Long.MAX_VALUE;
    private String warned = "";
    private boolean leftOut;
    private volatile Standing standing;
    private volatile Optional<Acting> acting = Optional.empty();
    private volatile RemoteClusters remotes = RemoteClusters.NONE;
    private volatile Optional<StoreSnapshot> store = Optional.empty();
    private volatile Knowledge knowledge = Knowledge.NONE;
    private volatile Optional<Began> began;
    private volatile Optional<Change.Settled> lastChange = Optional.empty();
    private volatile OptionalLong acknowledged = OptionalLong.empty();
    private volatile String address = "the store";
    private volatile String trouble = "";
    private volatile Optional<String> setback = Optional.empty();
    private volatile Map<String, String> failures = Map.of();

    public Journal(String instanceId, Time time) {
        this(instanceId, time, LoggerFactory.getLogger("org.apache.sling.discovery"));
    }

    /** Makes a journal that writes its lines to that logger. */
    public Journal(String instanceId, Time time, Logger log) {
        this.log = log;
        this.instanceId = instanceId;
        this.time = time;
        this.wall = time.wall();
        this.status = new SessionStatus(time);
        this.standing =
                new Standing(State.CONNECTING, "connecting to the store", Optional.empty(), wall.getAsLong(), 0);
        this.began = Optional.of(new Began(wall.getAsLong(), "this instance was started"));
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

    public Optional<Change.Settled> lastChange() {
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

    public TopologyReport.Recent recent() {
        return new TopologyReport.Recent(events.elements(), transitions.elements(), propertyChanges.elements());
    }

    /** Returns what needs attention now: troubles of the store, unreadable nodes, and failing requests. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (!trouble.isEmpty()) {
            problems.add(trouble);
        } else if (standing.state() == State.CUT_OFF) {
            // The store needs longer to find out why.
            problems.add(noAnswer());
        }
        store.ifPresent(seen -> problems.addAll(seen.problems()));
        problems.addAll(failures.values());
        problems.addAll(setback.stream().toList());
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
        String sentence = state instanceof Settling.Settled settled
                ? settled(settled.held(), link)
                : unreachable(name).orElseGet(waiting::sentence);
        boolean passes = standing.state() != name || standing.number() != number;
        long since = passes ? wall.getAsLong() : standing.sinceMillis();
        standing = new Standing(name, sentence, waiting.countdown(), since, number);
        if (passes) {
            String words = sentence.equals(waiting.sentence())
                    ? waiting.words(time.monotonic().getAsLong())
                    : sentence;
            transitions.add(new TopologyReport.Transition(since, name, words));
            if (isWarning(name)) {
                log.warn("{} {}: {}", instanceId, name, words);
            } else {
                log.info("{} {}: {}{}", instanceId, name, words, cause(state));
            }
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
        if (waiting.reason() != Waiting.Reason.LISTENERS) {
            waitingSince = Long.MAX_VALUE;
            warned = "";
            return;
        }
        long now = wall.getAsLong();
        waitingSince = Math.min(waitingSince, now);
        if (now - waitingSince >= SLOW_MILLIS && !warned.equals(waiting.sentence())) {
            warned = waiting.sentence();
            log.warn("{} for {} s: {}", instanceId, (now - waitingSince) / 1_000, warned);
        }
    }

    private static String cause(Settling state) {
        return state instanceof Settling.Settled settled
                ? " (" + settled.held().view().cause() + ")"
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
        return switch (waiting.reason()) {
            case STORE -> before ? State.CONNECTING : State.CUT_OFF;
            case HOLDER, FORMAT -> State.REFUSED;
            case LEAVING -> State.STOPPED;
            case QUARANTINE -> State.QUARANTINED;
            case ANNOUNCEMENT -> leftOut ? State.LEFT_OUT : State.JOINING;
            case LISTENERS -> leftOut ? State.LEFT_OUT : before ? State.JOINING : State.CHANGING;
            default -> before ? State.JOINING : State.CHANGING;
        };
    }

    private static String settled(HeldView held, Link link) {
        return (link.usable() ? "settled: " : "connection lost, the view is current until its lease ends: ")
                + members(held) + ", view " + held.number();
    }

    private static String members(HeldView held) {
        int size = held.members().size();
        MemberRecord leader = held.members().get(0).record();
        return size + (size == 1 ? " instance" : " instances") + ", leader "
                + InstanceNames.label(leader.instanceId(), InstanceNames.name(leader.properties()));
    }

    /** Returns the sentence of a state without a usable connection. Before the first view there is none that could be void. */
    private Optional<String> unreachable(State state) {
        return switch (state) {
            case CONNECTING -> Optional.of("no usable connection yet: " + noAnswer());
            case CUT_OFF -> Optional.of("the last view may be void, so none is current: " + noAnswer());
            default -> Optional.empty();
        };
    }

    private String noAnswer() {
        return "no server answers at " + address + "; check whether the servers run and have a quorum, and the network";
    }

    public void recordChanging(HeldView last, String why) {
        began = Optional.of(new Began(wall.getAsLong(), why));
        event(TopologyEvent.Type.TOPOLOGY_CHANGING, last, why);
    }

    public void recordSettled(Optional<HeldView> last, HeldView next) {
        long now = wall.getAsLong();
        lastChange = Optional.of(new Change.Settled(
                next.number(),
                next.view().cause(),
                began.map(Began::sinceMillis).orElse(now),
                now));
        began = Optional.empty();
        acting = Optional.of(new Acting(next, wall.getAsLong()));
        // Another instance may have made the change that was rejected here, so it is not requested any more.
        failures = Map.of();
        differences(last, next);
        if (last.isPresent()) {
            event(TopologyEvent.Type.TOPOLOGY_CHANGED, next, next.view().cause());
        } else {
            event(TopologyEvent.Type.TOPOLOGY_INIT, next, members(next));
        }
    }

    public void recordPropertyChanges(Optional<HeldView> last, HeldView next) {
        acting = Optional.of(new Acting(next, acting.map(Acting::sinceMillis).orElseGet(wall::getAsLong)));
        event(
                TopologyEvent.Type.PROPERTIES_CHANGED,
                next,
                differences(last, next).stream().map(PropertyDifferences::words).collect(Collectors.joining("; ")));
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

    private void event(TopologyEvent.Type type, HeldView held, String details) {
        events.add(new TopologyReport.Event(wall.getAsLong(), type.name(), held.number(), details));
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
        Map<String, String> all = new TreeMap<>(failures);
        String sentence =
                "the store rejected the request to " + kind + " for instance " + instanceId + ": " + outcome.detail();
        if (!sentence.equals(all.put(kind, sentence))) {
            log.warn("{}", sentence);
        }
        failures = Map.copyOf(all);
    }

    public void recordSuccess(Request request) {
        String kind = request.kind().getSimpleName().toLowerCase(Locale.ROOT);
        if (failures.containsKey(kind)) {
            Map<String, String> all = new TreeMap<>(failures);
            all.remove(kind);
            failures = Map.copyOf(all);
        }
    }

    /** Records that the store shows an older view than before. */
    public void recordStoreGoneBack(long shown, long seen) {
        String sentence = "the store shows view " + shown + " although view " + seen
                + " was established before: it was restored from an older state, or it is another store. Views continue"
                + " above " + seen + ", so no fencing token is used twice; find out what happened to the store";
        if (!setback.equals(Optional.of(sentence))) {
            setback = Optional.of(sentence);
            log.warn("{}: {}", instanceId, sentence);
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
     * @param sentence explained
     * @param countdown what happens when, monotonic
     * @param sinceMillis since when, wall-clock
     * @param number the number of the settled view, 0 while there is none
     */
    public record Standing(
            State state, String sentence, Optional<Waiting.Countdown> countdown, long sinceMillis, long number) {}

    /**
     * The beginning of a change.
     *
     * @param sinceMillis when, wall-clock
     * @param why why the last view became void, or why there is none
     */
    public record Began(long sinceMillis, String why) {}

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
