// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recent past of an instance, for display: its status and the reason, the last events and transitions, what needs
 * attention. Writes the log lines, one for each transition. Written by the engine's thread, read by any.
 */
public final class Journal {

    static final String LOGGER = "org.apache.sling.discovery";

    private static final long SLOW_MILLIS = 5_000;

    private final Logger log = LoggerFactory.getLogger(LOGGER);
    private final String instanceId;
    private final Time time;
    private final LongSupplier wall;
    private final RecentEvents recent;
    private final SessionStatus status;
    private final RecentDepartures departures = new RecentDepartures();
    private final Problems problems;
    private long waitingSince = Long.MAX_VALUE;
    private Optional<List<Reason>> warned = Optional.empty();
    private boolean leftOut;
    private volatile Standing standing;
    private volatile Optional<Acting> acting = Optional.empty();
    private volatile RemoteClusters remotes = RemoteClusters.NONE;
    private volatile Optional<StoreSnapshot> store = Optional.empty();
    private volatile Optional<Began> began;
    private volatile Optional<LastChange> lastChange = Optional.empty();
    private volatile OptionalLong acknowledged = OptionalLong.empty();
    private volatile String address = "the store";

    public Journal(String instanceId, Time time) {
        this.instanceId = instanceId;
        this.time = time;
        this.wall = time.wall();
        this.status = new SessionStatus(time);
        this.problems = new Problems(instanceId);
        this.recent = new RecentEvents(wall);
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

    public RecentDepartures departures() {
        return departures;
    }

    public Problems problems() {
        return problems;
    }

    public SessionStatus sessionStatus() {
        return status;
    }

    public RecentEvents recent() {
        return recent;
    }

    /** Returns what needs attention now: troubles of the store, unreadable nodes, and failing requests, a sentence each. */
    public List<String> problems(InstanceNames names) {
        Optional<Reason> unreachable = standing.state() == State.CUT_OFF
                ? Optional.of(Reason.of(ReasonCode.NO_ANSWER, address))
                : Optional.empty();
        return Stream.concat(
                        store.stream().flatMap(seen -> seen.problems().stream()),
                        problems.sentences(unreachable, names).stream())
                .toList();
    }

    /** Takes over the result of a turn. A transition is a change of the state by name or of the number of the settled view. */
    public void update(Settling state, Waiting waiting, Link link, Optional<StoreSnapshot> seen) {
        store = seen;
        departures.update(seen, wall.getAsLong());
        acknowledged = state instanceof Settling.Changing changing ? changing.acknowledged() : OptionalLong.empty();
        status.update(link);
        warnOfListeners(waiting);
        leftOut = state instanceof Settling.Changing changing && (leftOut || Standing.isLeftOut(changing, seen));
        State name = Standing.name(state, waiting, link, leftOut);
        long number = state instanceof Settling.Settled settled ? settled.held().number() : 0;
        Waiting explained = state instanceof Settling.Settled settled
                ? members(link.usable() ? ReasonCode.SETTLED_ON : ReasonCode.SUSPENDED_ON, settled.held())
                : unreachable(name).orElse(waiting);
        boolean passes = standing.state() != name || standing.number() != number;
        long since = passes ? wall.getAsLong() : standing.sinceMillis();
        standing = new Standing(name, explained, since, number);
        if (passes) {
            RecentEvents.Transition transition =
                    recent.add(standing, time.monotonic().getAsLong());
            log(transition, state);
        }
    }

    private void log(RecentEvents.Transition transition, Settling state) {
        String words = transition.words(departures.names());
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

    /** All members wait for a listener that does not return, so the log names it once. */
    private void warnOfListeners(Waiting waiting) {
        if (!Standing.isForListeners(waiting)) {
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
        return Reason.sentence(reasons, departures.names()::label);
    }

    private String cause(Settling state) {
        return state instanceof Settling.Settled settled
                ? " (" + words(settled.held().view().cause()) + ")"
                : "";
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
        recent.add(TopologyEvent.Type.TOPOLOGY_CHANGING, last, why);
    }

    public void recordSettled(Optional<HeldView> last, HeldView next) {
        long now = wall.getAsLong();
        lastChange = Optional.of(
                new LastChange(next.view(), began.map(Began::sinceMillis).orElse(now), now));
        began = Optional.empty();
        acting = Optional.of(new Acting(next, wall.getAsLong()));
        problems.recordSettled();
        recent.addDifferences(last, next);
        if (last.isPresent()) {
            recent.add(TopologyEvent.Type.TOPOLOGY_CHANGED, next, next.view().cause());
        } else {
            recent.add(
                    TopologyEvent.Type.TOPOLOGY_INIT,
                    next,
                    members(ReasonCode.MEMBERS, next).reasons());
        }
    }

    public void recordPropertyChanges(Optional<HeldView> last, HeldView next) {
        acting = Optional.of(new Acting(next, acting.map(Acting::sinceMillis).orElseGet(wall::getAsLong)));
        recent.add(TopologyEvent.Type.PROPERTIES_CHANGED, next, recent.addDifferences(last, next));
    }

    /** Records the other clusters of the view that listeners received last. */
    public void showRemotes(RemoteClusters shown) {
        remotes = shown;
    }

    /** Records that other clusters have changed, or properties of their instances. */
    public void recordRemotes(HeldView held, RemoteClusters before, RemoteClusters now) {
        recent.add(
                now.differInPropertiesOnly(before)
                        ? TopologyEvent.Type.PROPERTIES_CHANGED
                        : TopologyEvent.Type.TOPOLOGY_CHANGED,
                held,
                now.differences(before));
    }

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
     * The view that listeners received last.
     *
     * @param held the view
     * @param sinceMillis since when, wall-clock
     */
    public record Acting(HeldView held, long sinceMillis) {}
}
