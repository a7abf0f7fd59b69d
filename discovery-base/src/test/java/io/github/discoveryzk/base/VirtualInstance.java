// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.memory.MemoryStore;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;

/** A real instance on virtual time with one listener, whose calls can be made to hang. */
final class VirtualInstance {

    static final int SESSION_TIMEOUT = 3_000;
    static final int SETTLE_TIMEOUT = 4_000;
    static final String LISTENER = "com.example.Listener";

    private static final SettlingPolicy POLICY = new SettlingPolicy(SETTLE_TIMEOUT, 0, 200, SuspendedPolicy.LEASE);

    private final VirtualTime time;
    private final VirtualProcess process;
    final PlainConnectors connectors;
    private final MemoryStore store;
    private final DiscoveryInstance instance;
    private final List<TopologyEvent> events = new ArrayList<>();
    private final List<Runnable> stuck = new ArrayList<>();
    private boolean hanging;
    private boolean starved;
    private boolean direct;
    private SettlingPolicy policy = POLICY;

    /**
     * The deviations of an instance.
     *
     * @param rate how fast its clock runs
     * @param lagMillis how far its server lags behind the others
     * @param decisions wraps all that its decision thread runs
     */
    record Traits(Protocol protocol, double rate, int lagMillis, UnaryOperator<Runnable> decisions) {

        static final Traits NONE = new Traits(Protocol.SETTLING, 1, 0);

        Traits(Protocol protocol, double rate, int lagMillis) {
            this(protocol, rate, lagMillis, UnaryOperator.identity());
        }
    }

    VirtualInstance(String id, long pid, VirtualTime time, MemoryEnsemble ensemble) {
        this(id, pid, time, ensemble, Traits.NONE);
    }

    /** Makes an instance with deviations. */
    VirtualInstance(String id, long pid, VirtualTime time, MemoryEnsemble ensemble, Traits traits) {
        this.time = time;
        this.process = new VirtualProcess(time, 0, traits.rate());
        this.store = new MemoryStore(ensemble, process, new Random(pid), SESSION_TIMEOUT, 10, traits.lagMillis());
        Execution execution = new Execution(
                new Time(process::clock, time::now),
                process.executor(() -> 0, traits.decisions()),
                this::call,
                () -> {});
        ProcessInfo info = new ProcessInfo("run-" + pid, "host-" + pid, pid, "/home/" + pid, time.now());
        this.instance = InstanceUnderTest.following(
                traits.protocol(), new InstanceIdentity(id, info), store, () -> policy, execution);
        this.instance.addListener(events::add, LISTENER);
        this.connectors = new PlainConnectors(instance);
    }

    private void call(Runnable task) {
        if (starved) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        if (hanging) {
            stuck.add(task);
        } else if (direct) {
            task.run();
        } else {
            process.after(0, task);
        }
    }

    /** Makes this instance wait that long for the others after an outage. */
    void regroup(long millis) {
        follow(new SettlingPolicy(
                SETTLE_TIMEOUT, 0, millis, 200, SuspendedPolicy.LEASE, Quarantine.DEFAULT, 1, Integer.MAX_VALUE));
    }

    /** Makes this instance wait for a view with that many members before its first INIT. */
    void waitFor(int members) {
        follow(POLICY.withMinInstances(members));
    }

    /** Makes each next member in the order do the coordinator's work that much later. */
    void stepInAfter(long millis) {
        follow(new SettlingPolicy(SETTLE_TIMEOUT, 0, millis, SuspendedPolicy.LEASE));
    }

    void follow(SettlingPolicy other) {
        policy = other;
    }

    /** Makes calls of listeners and providers hang. */
    void hang() {
        hanging = true;
    }

    /** Makes calls of listeners and providers happen while a turn of the decision thread goes on. */
    void callDirectly() {
        direct = true;
    }

    /** Denies threads for calls. */
    void starve() {
        starved = true;
    }

    void goOn() {
        hanging = false;
        stuck.forEach(task -> process.after(0, task));
        stuck.clear();
    }

    void leave() {
        instance.leave().thenRun(() -> process.after(0, instance::close));
    }

    void pause() {
        process.pause();
    }

    void resume() {
        process.resume();
    }

    void kill() {
        process.kill();
        store.fallSilent();
    }

    DiscoveryInstance instance() {
        return instance;
    }

    MemoryStore store() {
        return store;
    }

    TopologyReport report() {
        return instance.reporter().report();
    }

    /** Returns reasons as this instance words them. */
    String words(List<Reason> reasons) {
        return report().names().sentence(reasons);
    }

    State state() {
        return report().state();
    }

    List<TopologyEvent> events() {
        return events;
    }

    List<TopologyEvent.Type> eventTypes() {
        return events.stream().map(TopologyEvent::getType).toList();
    }

    /** The instance ids of the current view in order; empty while there is none. */
    List<String> order() {
        return Optional.of(instance.getTopology())
                .filter(view -> view.isCurrent())
                .map(view -> view.getLocalInstance().getClusterView().getInstances().stream()
                        .map(InstanceDescription::getSlingId)
                        .toList())
                .orElse(List.of());
    }

    /** Says whether it shows a current view with itself as its leader. */
    boolean leads() {
        TopologyView view = instance.getTopology();
        return view.isCurrent() && view.getLocalInstance().isLeader();
    }

    boolean await(State state) {
        return time.runUntil(() -> state() == state, 60_000);
    }

    boolean awaitOrder(String... ids) {
        return time.runUntil(() -> order().equals(List.of(ids)), 60_000);
    }
}
