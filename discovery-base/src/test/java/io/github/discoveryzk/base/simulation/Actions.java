// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** Disturbs a simulated cluster as its swarm says, and ends the disturbances. */
final class Actions {

    static final int SESSION = Swarm.SESSION_TIMEOUT;
    static final int SETTLE = Swarm.SETTLE_TIMEOUT;
    private static final long EVICTION_MILLIS = 30_000;

    /** The shortest cut that may cost a lease: it lasts two thirds of its time and is renewed each third. */
    private static final int HARMLESS_CUT = 5;

    private static final List<Class<? extends Request>> REQUESTS = List.of(
            Request.Announce.class,
            Request.Delete.class,
            Request.Update.class,
            Request.Acknowledge.class,
            Request.Publish.class,
            Request.Renew.class,
            Request.Probe.class,
            Request.ProbeLease.class,
            Request.Suspect.class,
            Request.Refute.class,
            Request.Withdraw.class,
            Request.Convict.class);

    private final Simulation simulation;
    final Random random;
    private final Swarm swarm;
    private final VirtualTime time;
    private final MemoryEnsemble ensemble;
    final Operator operator;
    final OtherClusters others;
    private final List<Runnable> falseHints = new ArrayList<>();
    boolean rejected;
    private boolean ended;
    private int values;

    Actions(Simulation simulation, Random random) {
        this.simulation = simulation;
        this.random = random;
        this.swarm = simulation.swarm;
        this.time = simulation.time;
        this.ensemble = simulation.ensemble;
        this.operator = new Operator(simulation, random);
        this.others = simulation.others;
    }

    /** Performs a random action of the swarm on a random instance. */
    void next() {
        List<SimulatedInstance> running = simulation.running();
        if (running.isEmpty()) {
            start();
        } else {
            // Disturbances of the leader are the most dangerous for the laws.
            perform(swarm.next(random), random.nextBoolean() ? leader().orElseGet(this::any) : any());
        }
    }

    /** Ends all lasting disturbances. */
    void end() {
        ended = true;
        falseHints.forEach(Runnable::run);
        ensemble.deny(Set.of());
        simulation.running().forEach(one -> {
            one.quicken();
            resume(one);
            one.disturbUntil(time.now() + swarm.onTheWayMillis());
            one.store.deny(Set.of());
            one.store.cannotRead(member -> false);
            one.store.restore();
        });
    }

    /** Returns the instance that leads the newest view, if it runs. */
    Optional<SimulatedInstance> leader() {
        return simulation.checks.chain().newest().flatMap(view -> simulation.running().stream()
                .filter(one -> one.id.equals(view.leader().instance()))
                .findFirst());
    }

    void perform(Action action, SimulatedInstance one) {
        action.on(this, one);
    }

    long millis(long most) {
        return swarm.millis(random, most);
    }

    SimulatedInstance any() {
        List<SimulatedInstance> running = simulation.running();
        return running.get(random.nextInt(running.size()));
    }

    /** Lets an instance leave its view for that long, and until all have learned of the end. */
    private void disturb(SimulatedInstance one, long millis, String what) {
        simulation.leaveRecord(() -> one + " " + what);
        one.disturbUntil(time.now() + millis + swarm.onTheWayMillis());
    }

    /** Ends a disturbance after a while, unless all have been ended. */
    private void later(long millis, Runnable undoing) {
        time.after(millis, () -> {
            if (!ended) {
                undoing.run();
            }
        });
    }

    void start() {
        if (simulation.running().size() < Simulation.MAX_INSTANCES && !operator.isMemoryNeeded()) {
            SimulatedInstance one =
                    simulation.start(String.valueOf((char) ('a' + random.nextInt(5))), Optional.empty());
            if (random.nextInt(10) == 0) {
                // Half-started: it announces itself and then does nothing.
                later(random.nextInt(300), () -> pause(one, random.nextInt(2 * SETTLE)));
            }
        }
    }

    /** Starts an instance, unless others must not join. */
    void start(String id) {
        if (!operator.isMemoryNeeded()) {
            simulation.start(id, Optional.empty());
        }
    }

    /** Starts and stops an instance, so that the members are the same again. */
    void flicker() {
        if (!operator.isMemoryNeeded()) {
            SimulatedInstance last = simulation.start("f", Optional.empty());
            later(random.nextBoolean() ? random.nextInt(200) : millis(3L * SETTLE / 2), () -> leave(last));
        }
    }

    void kill(SimulatedInstance one) {
        if (!operator.isMemoryNeeded()) {
            simulation.leaveRecord(() -> one + " is killed");
            one.kill();
            notice(one);
        }
    }

    /** Lets some of the others notice the end of a process, or of an instance that lives. */
    private void notice(SimulatedInstance one) {
        if (random.nextBoolean()) {
            simulation.running().stream().filter(each -> random.nextBoolean()).forEach(each -> {
                boolean proven = one.process.isDead() && random.nextInt(3) == 0;
                time.after(random.nextInt(50), () -> {
                    if (one.process.isDead() || !ended) {
                        nodes(one).forEach(node -> hint(each, new Suspect(node, proven, 0)));
                    }
                });
            });
        }
    }

    /** Ends some processes at one moment, as the end of their host does; all others notice, and the first of them leaves or forgets it. */
    void crash(SimulatedInstance one) {
        List<SimulatedInstance> some = simulation.running().stream()
                .filter(each -> each == one || random.nextInt(3) == 0)
                .toList();
        List<String> nodes = some.stream().flatMap(each -> nodes(each).stream()).toList();
        some.forEach(this::kill);
        time.after(random.nextInt(50), () -> simulation
                .running()
                .forEach(each -> nodes.forEach(node -> hint(each, new Suspect(node, false, 0)))));
        Consumer<SimulatedInstance> next = random.nextBoolean() ? this::leave : SimulatedInstance::forget;
        later(
                random.nextInt(1_000),
                () -> simulation.running().stream().findFirst().ifPresent(next));
    }

    private List<String> nodes(SimulatedInstance one) {
        return ensemble.members().stream()
                .filter(member -> member.isOf(one.runtimeId))
                .map(Member::node)
                .toList();
    }

    private void hint(SimulatedInstance by, Suspect suspect) {
        if (by.isRunning()) {
            simulation.leaveRecord(() -> by + " is given the hint " + suspect);
            by.hint(suspect);
            simulation.checks.hints.given(by, suspect.node());
            falseHints.add(() -> by.retract(suspect));
        }
    }

    /** Gives an instance a false hint about another one, or about itself, for a while. */
    void hint(SimulatedInstance by, SimulatedInstance one, long millis) {
        nodes(one).stream().map(node -> new Suspect(node, false, 0)).forEach(suspect -> {
            hint(by, suspect);
            later(millis, () -> by.retract(suspect));
        });
    }

    /** Gives all instances a false hint about one, again and again. */
    void hints(SimulatedInstance one, long millis) {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            long after = random.nextInt((int) Math.max(1, millis));
            simulation.running().forEach(by -> later(after + random.nextInt(200), () -> hint(by, one, millis)));
        }
    }

    /** Disturbs an instance, and gives others the hint that it has ended. */
    void doubt(SimulatedInstance one) {
        switch (random.nextInt(3)) {
            case 0 -> pause(one, millis(2L * SESSION));
            case 1 -> cut(one, millis(2L * SESSION));
            default -> strand(one, millis(2L * SESSION));
        }
        later(random.nextInt(300), () -> notice(one));
    }

    /** Stops all processes, as a host does that is suspended; hints come before, meanwhile and after. */
    void pauseAll(long millis) {
        SimulatedInstance one = any();
        later(random.nextInt(400), () -> notice(one));
        later(random.nextInt(400), () -> simulation.running().forEach(each -> pause(each, millis)));
    }

    void restart(SimulatedInstance one, Optional<String> predecessor) {
        if (!operator.isMemoryNeeded()) {
            kill(one);
            simulation.start(one.id, predecessor);
        }
    }

    void leave(SimulatedInstance one) {
        if (!operator.isMemoryNeeded()) {
            simulation.leaveRecord(() -> one + " leaves");
            one.leave();
        }
    }

    void cut(SimulatedInstance one, long millis) {
        simulation.leaveRecord(() -> one + " is cut off for " + millis);
        int granted = one.store.timeoutMillis();
        if (random.nextInt(4) == 0) {
            one.renegotiate();
        }
        // With a shorter session the lease may be over immediately: it counts from the last request that was confirmed.
        boolean shorter = one.store.timeoutMillis() < granted;
        // The renewal whose reply is lost and the next one may each take as long as a reaction.
        long harmless = one.shortestLease / HARMLESS_CUT - 2 * one.reactionMillis;
        if (one.isStrict() || shorter || millis > harmless) {
            one.disturbUntil(time.now() + millis + swarm.onTheWayMillis());
        }
        one.unreachable(time.now(), time.now() + millis);
        one.store.cut(random.nextInt(2) == 0 ? 0 : random.nextInt(Math.max(1, (int) millis)));
        reconnect(one, millis);
    }

    private void reconnect(SimulatedInstance one, long millis) {
        later(millis, () -> {
            simulation.leaveRecord(() -> one + " can reach the store");
            one.store.restore();
        });
    }

    /** Cuts an instance off for the shortest time, while facts wait for its decision. */
    void blink(SimulatedInstance one) {
        others.change();
        later(random.nextInt(40), () -> cut(one, 1 + random.nextInt(20)));
    }

    void cutAll(long millis) {
        simulation.running().forEach(each -> cut(each, millis));
    }

    /** Delays messages on a standing connection, but not so long that the client or the server would end it. */
    void stall(SimulatedInstance one) {
        long up = millis(one.store.timeoutMillis() / 3L);
        long down = millis(one.store.timeoutMillis() / 3L);
        disturb(one, up + down, "has late messages: " + up + " and " + down);
        one.store.stall(up, down);
    }

    void pause(SimulatedInstance one, long millis) {
        if (one.isRunning() && !one.process.isPaused()) {
            disturb(one, millis, "is stopped for " + millis);
            one.pause();
            later(millis, () -> resume(one));
        }
    }

    void resume(SimulatedInstance one) {
        if (one.isRunning() && one.process.isPaused()) {
            simulation.leaveRecord(() -> one + " is continued");
            one.resume();
        }
    }

    /** Ends a session early while the instance cannot notice it. */
    void endEarly(SimulatedInstance one) {
        cut(one, millis(2L * SESSION));
        endSession(one);
    }

    void endSession(SimulatedInstance one) {
        long session = one.store.session();
        simulation.leaveRecord(() -> "the session of " + one + " is ended");
        one.disturbUntil(time.now());
        ensemble.end(session);
    }

    void strand(SimulatedInstance one, long millis) {
        disturb(one, millis, "has a server that is cut off for " + millis);
        one.store.strand();
        reconnect(one, millis);
    }

    /** Disturbs the instance just after one of its requests has been executed. */
    void stumble(SimulatedInstance one) {
        boolean deadly = random.nextBoolean();
        boolean[] armed = {true};
        simulation.leaveRecord(() -> one + " will " + (deadly ? "die" : "be cut off") + " after its next write");
        one.store.onArrival((Request request, Outcome outcome) -> {
            if (armed[0] && !ended && !(request instanceof Request.Probe)) {
                armed[0] = false;
                if (deadly) {
                    kill(one);
                } else {
                    cut(one, millis(SESSION));
                }
            }
        });
    }

    void abandonSession(SimulatedInstance one) {
        disturb(one, 0, "abandons its session");
        one.store.abandonSession();
    }

    /** Makes the record of another instance unreadable for this one; half of the times also the other way round. */
    void blind(SimulatedInstance one, SimulatedInstance other, long millis) {
        cannotRead(one, other, millis);
        if (random.nextBoolean()) {
            cannotRead(other, one, millis);
        }
    }

    private void cannotRead(SimulatedInstance one, SimulatedInstance other, long millis) {
        simulation.trace.ifPresent(trace -> trace.leaveOut("unreadable records"));
        simulation.leaveRecord(() -> one + " cannot read " + other + " for " + millis);
        long until = time.now() + millis + swarm.onTheWayMillis();
        simulation.running().forEach(each -> each.blindUntil = Math.max(each.blindUntil, until));
        if (one == other) {
            one.disturbUntil(until);
        }
        one.store.cannotRead(member -> member.isOf(other.runtimeId), random.nextBoolean());
        later(millis, () -> one.store.cannotRead(member -> false));
    }

    private Set<Class<? extends Request>> someRequests() {
        rejected = true;
        Set<Class<? extends Request>> some = new HashSet<>();
        some.add(REQUESTS.get(random.nextInt(REQUESTS.size())));
        some.add(REQUESTS.get(random.nextInt(REQUESTS.size())));
        return some;
    }

    void deny(SimulatedInstance one, long millis) {
        Set<Class<? extends Request>> kinds = someRequests();
        simulation.leaveRecord(() -> one + " is denied " + kinds + " for " + millis);
        one.disturbUntil(time.now() + millis + LivenessLaw.REJECTED_REST_MILLIS);
        one.store.deny(kinds);
        later(millis, () -> one.store.deny(Set.of()));
    }

    void denyAll(long millis) {
        Set<Class<? extends Request>> kinds = someRequests();
        simulation.leaveRecord(() -> "all are denied " + kinds + " for " + millis);
        simulation.disturbAllUntil(time.now() + millis + LivenessLaw.REJECTED_REST_MILLIS);
        ensemble.deny(kinds);
        later(millis, () -> ensemble.deny(Set.of()));
    }

    void slow(SimulatedInstance one, long least, long millis) {
        simulation.leaveRecord(() -> one + " has listeners that take from " + least + " to " + millis);
        one.slow(least, millis);
        later(millis, one::quicken);
    }

    void property(SimulatedInstance one) {
        String value = String.valueOf(random.nextInt(3));
        simulation.leaveRecord(() -> one + " offers " + value);
        one.instance.addPropertyProvider(name -> value, "provider" + values++, values, values, "p");
    }

    void burst(SimulatedInstance one) {
        for (int i = 2 + random.nextInt(10); i > 0; i--) {
            later(random.nextInt(100), () -> {
                if (one.isRunning()) {
                    property(one);
                }
            });
        }
    }

    /** A stricter policy counts for a connection that is lost already. */
    void changePolicy(SimulatedInstance one) {
        disturb(one, SESSION, "has another policy");
        one.changePolicy();
    }

    void stepDown(SimulatedInstance one) {
        disturb(one, 0, "steps down");
        one.instance.operator().stepDown();
    }

    void lead(SimulatedInstance by, SimulatedInstance one) {
        simulation.leaveRecord(() -> by + " makes " + one + " the leader");
        simulation.running().stream().filter(each -> each != one).forEach(this::mayBeRemoved);
        by.instance.operator().lead(one.id);
    }

    /** Requested now, done when the remover is able to. */
    private void mayBeRemoved(SimulatedInstance one) {
        one.disturbUntil(time.now() + EVICTION_MILLIS);
        one.evicted = true;
    }

    void evict(SimulatedInstance by, SimulatedInstance one) {
        if (one != by) {
            simulation.leaveRecord(() -> by + " evicts " + one);
            simulation.running().stream().filter(each -> each.id.equals(one.id)).forEach(this::mayBeRemoved);
            if (random.nextBoolean()) {
                hint(by, one, millis(SESSION));
            }
            by.instance.operator().evict(one.id);
            if (random.nextBoolean()) {
                cut(one, millis(2L * SESSION));
            }
        }
    }
}
