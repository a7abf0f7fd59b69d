// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.data.Registration;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.work.WorkView;
import io.github.discoveryzk.work.Worker;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Participant;
import io.github.discoveryzk.work.rules.WorkKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of an instance, in plain Java: workers are added and removed, and called as long as their instance is started. The OSGi component
 * of this bundle is a thin layer over it.
 *
 * <p>All methods may be called from any thread and do not block.
 */
public final class Work implements WorkView, TopologyEventListener {

    static final String SCOPE = "discovery.work";
    static final String ASSIGNMENTS = "assignments";
    static final String PARTICIPANTS = "participants";

    private static final Logger LOG = LoggerFactory.getLogger(Work.class);
    private static final long TICK_MILLIS = 500;

    private final LocalInstance instance;
    private final Agent agent;
    private final Leader leader;
    private final WorkSection section;
    private final List<Registration> listening;
    private final Registration handingOver;
    private volatile Assignment record = Assignment.NONE;
    private volatile Optional<String> problem = Optional.empty();
    private volatile Supplier<Stream<String>> otherProblems = Stream::empty;
    private volatile boolean ended;

    /**
     * Takes part from now on, without workers.
     *
     * @param time the clocks of the instance
     * @param balanceDelayMillis how long the members must have been the same before keys are handed over for a balance
     */
    public Work(LocalInstance instance, SharedData data, Time time, LongSupplier balanceDelayMillis) {
        this.instance = instance;
        this.agent = new Agent(instance, data, time.monotonic());
        this.leader = new Leader(data, time.monotonic(), balanceDelayMillis);
        SharedMap<Map<String, Map<String, String>>> participants = data.map(SCOPE, PARTICIPANTS, Participant.KIND);
        this.section = new WorkSection(
                instance.instanceId(),
                time.monotonic(),
                agent,
                () -> record,
                () -> Stream.concat(problem.stream(), otherProblems.get()),
                () -> participants.entries().entrySet().stream()
                        .flatMap(each ->
                                Participant.read(
                                        each.getKey(),
                                        each.getValue().writer(),
                                        each.getValue().value())
                                        .stream()));
        listening = List.of(
                data.value(SCOPE, ASSIGNMENTS, Assignment.KIND).listen(this::follow), participants.listen(any -> {
                    leader.participate();
                    agent.evaluate();
                }));
        instance.addOwnClusterListener(this, () -> "work that has one place");
        handingOver = instance.beforeStepDown(agent::handOver);
        tick();
    }

    private void follow(Optional<Versioned<Map<String, Map<String, String>>>> found) {
        try {
            Assignment next =
                    found.map(Versioned::value).map(Assignment::decoded).orElse(Assignment.NONE);
            problem = Optional.empty();
            record = next;
            agent.follow(next);
            leader.follow(next);
        } catch (IllegalArgumentException e) {
            problem = Optional.of("The record of who handles what cannot be used: " + e.getMessage() + ".");
            LOG.warn("The record of who handles what cannot be used", e);
        }
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        switch (event.getType()) {
            case TOPOLOGY_INIT, TOPOLOGY_CHANGED -> {
                agent.settle(true);
                leader.settle(Optional.of(event.getNewView()));
            }
            case TOPOLOGY_CHANGING -> {
                agent.settle(false);
                leader.settle(Optional.empty());
            }
            case PROPERTIES_CHANGED -> {} // The members are the same.
        }
    }

    /** Looks at the clocks. */
    private void tick() {
        if (!ended) {
            try {
                instance.decisions()
                        .schedule(
                                () -> {
                                    instance.calls().execute(() -> {
                                        agent.evaluate();
                                        leader.evaluate();
                                    });
                                    tick();
                                },
                                TICK_MILLIS,
                                TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("The instance has ended", e);
            }
        }
    }

    /**
     * Adds a worker, or changes what it can handle.
     *
     * @param name its display name, with its bundle; called each time it is shown
     * @throws IllegalArgumentException if a name has not 1 to 100 bytes in UTF-8, or has control characters
     */
    public void add(Worker worker, Supplier<String> name, String set, Collection<String> keys) {
        SortedSet<WorkKey> all =
                keys.stream().map(key -> new WorkKey(set, key)).collect(Collectors.toCollection(TreeSet::new));
        agent.offer(new Job.Offer(worker, name, all));
    }

    /** Removes a worker. Completes when all that it handled has ended. */
    public CompletableFuture<Void> remove(Worker worker) {
        return agent.withdraw(worker);
    }

    @Override
    public Map<String, String> owners(String set) {
        Map<String, String> owners = new TreeMap<>();
        record.holdings().forEach((key, holding) -> {
            if (key.set().equals(set)) {
                owners.put(key.key(), holding.owner().instanceId());
            }
        });
        return owners;
    }

    /** Sets what else is wrong, a sentence each; asked for by any thread. */
    public void describe(Supplier<Stream<String>> problems) {
        otherProblems = problems;
    }

    /** Returns what shows who handles what. */
    public AddedSection section() {
        return section;
    }

    /** Ends all that is handled here, and takes no part any more. Completes when the others know that it has ended. */
    public CompletableFuture<Void> close() {
        return agent.close().thenRun(() -> {
            ended = true;
            instance.removeListener(this);
            listening.forEach(Registration::close);
            handingOver.close();
        });
    }
}
