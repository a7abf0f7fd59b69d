// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.journal.Counters.Counter;
import io.github.discoveryzk.base.journal.Standing.Past;
import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Step;
import io.github.discoveryzk.base.protocol.Waiting;
import io.github.discoveryzk.base.view.RemoteClusters;
import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Countdown;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.Recent;
import io.github.discoveryzk.report.Recent.Event;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recent past of an instance, for display: its status and the reason, the last events and transitions, what needs
 * attention. Writes the log lines, one for each transition. Written by the engine's thread, read by any.
 */
public final class Journal {

    static final String LOGGER = "io.github.discoveryzk";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final long SLOW_MILLIS = 5_000;
    private static final int KEPT = 100;

    private final String instanceId;
    private final Time time;
    private final Session session;
    private final Counters counters = new Counters();
    private final RecentDepartures departures = new RecentDepartures();
    private final Problems problems;
    private Waiting explained = Waiting.of(ReasonCode.CONNECTING);
    private long waitingSince = Long.MAX_VALUE;
    private Optional<List<Reason>> warned = Optional.empty();
    private boolean excluded;
    private volatile Standing standing;

    /** Begins a journal of an instance in that state. */
    public Journal(Facts facts, Settling state, Time time) {
        this.instanceId = facts.own().instanceId();
        this.time = time;
        this.session = new Session(time);
        this.problems = new Problems(instanceId);
        this.standing = new Standing(
                facts,
                state,
                new Past(
                        new ExplainedState(State.CONNECTING, explained.reasons(), wall(), Optional.empty()),
                        OptionalLong.empty(),
                        RemoteClusters.NONE,
                        Optional.of(new Change(List.of(Reason.of(ReasonCode.STARTED)), wall())),
                        Optional.empty(),
                        Recent.NOTHING));
    }

    public Standing standing() {
        return standing;
    }

    /** Returns the snapshot that the last turn of the engine saw; empty without one. */
    public Optional<StoreSnapshot> store() {
        return standing.store();
    }

    public RecentDepartures departures() {
        return departures;
    }

    public Problems problems() {
        return problems;
    }

    public Counters counters() {
        return counters;
    }

    /** Records a request that took no effect. */
    public void recordFailure(Request request, Outcome outcome) {
        problems.recordFailure(request, outcome);
        if (outcome.status() != Outcome.Status.OVERTAKEN) {
            counters.count(Counter.REQUEST_FAILURES, request);
        }
    }

    public Session session() {
        return session;
    }

    /** Returns what needs attention now: troubles of the store, unreadable nodes, and failing requests. */
    public List<Finding> problems(InstanceNames names) {
        return Stream.concat(
                        store().stream().flatMap(seen -> Finding.warnings(Concern.ACCESS, seen.problems().stream())),
                        problems.all(names).stream())
                .toList();
    }

    /** Takes over the result of a turn. A transition is a change of the state by name or of the number of the settled view. */
    public void update(Facts facts, Step step) {
        Settling state = step.state();
        Waiting waiting = step.waiting();
        Optional<StoreSnapshot> seen = facts.store();
        departures.update(seen, wall());
        session.update(facts.link());
        warnOfListeners(waiting);
        excluded = state instanceof Settling.Changing changing && (excluded || Standing.isExcluded(changing, seen));
        State name = Standing.name(state, waiting, facts.link(), excluded);
        Waiting now = state instanceof Settling.Settled settled
                ? settled(settled.held(), facts.link().usable(), step.leaseEnd())
                : unreachable(name).orElse(waiting);
        ExplainedState before = standing.status();
        boolean passes = before.state() != name || number(standing.state()) != number(state);
        // The two clocks differ by some milliseconds more or less: the same waiting is the same status.
        ExplainedState status = !passes && now.equals(explained)
                ? before
                : new ExplainedState(name, now.reasons(), passes ? wall() : before.sinceMillis(), countdown(now));
        explained = now;
        Past past = standing.past().with(status);
        Recent recent = past.recent();
        standing = new Standing(
                facts,
                state,
                passes ? past.with(new Recent(recent.events(), with(status, recent.transitions()))) : past);
        if (passes) {
            log(status, state);
        }
    }

    /** Returns the number of the settled view, 0 without one. */
    private static long number(Settling state) {
        return state instanceof Settling.Settled settled ? settled.held().number() : 0;
    }

    private Optional<Countdown> countdown(Waiting waiting) {
        return waiting.countdown()
                .map(what -> new Countdown(
                        what,
                        waiting.until().getAsLong() + wall() - time.monotonic().getAsLong()));
    }

    private void log(ExplainedState status, Settling state) {
        String words = ForeignText.line(status.words(departures.names(), status.sinceMillis()));
        if (isWarning(status.state())) {
            LOG.warn("{} {}: {}", instanceId, status.state(), words);
        } else {
            LOG.info("{} {}: {}{}", instanceId, status.state(), words, cause(state));
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
        long now = wall();
        waitingSince = Math.min(waitingSince, now);
        Optional<List<Reason>> reasons = Optional.of(waiting.reasons());
        if (now - waitingSince >= SLOW_MILLIS && !warned.equals(reasons)) {
            warned = reasons;
            LOG.warn("{} for {} s: {}", instanceId, (now - waitingSince) / 1_000, line(waiting.reasons()));
        }
    }

    private String cause(Settling state) {
        return state instanceof Settling.Settled settled
                ? " (" + line(settled.held().view().cause()) + ")"
                : "";
    }

    /** Returns reasons for the log. Their arguments and the names are what other instances have written. */
    private String line(List<Reason> reasons) {
        return ForeignText.line(departures.names().sentence(reasons));
    }

    private static Waiting members(ReasonCode code, HeldView held) {
        return Waiting.of(code, held.members().size(), held.members().get(0).instanceId(), held.number());
    }

    private static Waiting settled(HeldView held, boolean usable, long leaseEnd) {
        return usable
                ? members(ReasonCode.SETTLED_ON, held)
                : members(ReasonCode.SUSPENDED_ON, held).until(leaseEnd);
    }

    /** Returns why there is no usable connection. Before the first view there is none that could be invalidated. */
    private Optional<Waiting> unreachable(State state) {
        return switch (state) {
            case CONNECTING -> Optional.of(
                    Waiting.of(ReasonCode.NOT_CONNECTED_YET, problems.whyUnreachable(session.address())));
            case CUT_OFF -> Optional.of(Waiting.of(ReasonCode.CUT_OFF, problems.whyUnreachable(session.address())));
            default -> Optional.empty();
        };
    }

    public void recordChanging(HeldView last, List<Reason> why) {
        counters.count(Counter.CHANGES, why.get(0).code().name());
        record(standing.past().with(new Change(why, wall())), TopologyEvent.Type.TOPOLOGY_CHANGING, last, why);
    }

    public void recordSettled(Optional<HeldView> last, HeldView next) {
        long now = wall();
        long since = standing.past().change().map(Change::sinceMillis).orElse(now);
        // Of a view that it held before, it says what interrupted it.
        List<Reason> cause = last.filter(before -> before.number() == next.number())
                .flatMap(same -> standing.past().change())
                .map(Change::cause)
                .orElse(next.view().cause());
        Change.Settled settled = new Change.Settled(next.number(), cause, since, now);
        problems.recordSettled();
        last.ifPresent(before -> {
            counters.countSettled(settled.tookMillis());
            if (before.view().token() != next.view().token()) {
                counters.count(Counter.LEADER_CHANGES, "");
            }
        });
        record(
                standing.past().with(settled),
                last.isPresent() ? TopologyEvent.Type.TOPOLOGY_CHANGED : TopologyEvent.Type.TOPOLOGY_INIT,
                next,
                last.isPresent()
                        ? next.view().cause()
                        : members(ReasonCode.MEMBERS, next).reasons());
    }

    public void recordPropertyChanges(Optional<HeldView> last, HeldView next) {
        record(
                standing.past(),
                TopologyEvent.Type.PROPERTIES_CHANGED,
                next,
                last.map(old -> PropertyDifferences.between(old, next)).orElse(List.of()));
    }

    /** Records the other clusters of the view that listeners received last. */
    public void showRemotes(RemoteClusters shown) {
        standing = standing.with(standing.past().with(shown));
    }

    /** Records that other clusters have changed, or properties of their instances. */
    public void recordRemotes(TopologyEvent.Type type, HeldView held, List<Reason> differences) {
        record(standing.past(), type, held, differences);
    }

    private void record(Past past, TopologyEvent.Type type, HeldView held, List<Reason> details) {
        Event event = new Event(wall(), type.name(), held.number(), details);
        counters.count(Counter.EVENTS, type.name());
        Recent recent = past.recent();
        standing = standing.with(past.with(new Recent(with(event, recent.events()), recent.transitions())));
    }

    /** Returns a list with a further element at its beginning; only the newest ones stay. */
    private static <T> List<T> with(T further, List<T> known) {
        return Stream.concat(Stream.of(further), known.stream()).limit(KEPT).collect(Collectors.toUnmodifiableList());
    }

    private long wall() {
        return time.wall().getAsLong();
    }
}
