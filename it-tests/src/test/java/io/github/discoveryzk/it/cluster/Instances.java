// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent.Type;

/** Instances in plain Java that are members of one cluster, by id. */
public final class Instances implements AutoCloseable {

    private final Function<String, PlainInstance> factory;
    private final Map<String, PlainInstance> running = new LinkedHashMap<>();

    Instances(Function<String, PlainInstance> factory) {
        this.factory = factory;
    }

    /** Prepares instances with that session timeout on these servers. */
    public static Instances on(String connectString, int sessionMillis) {
        return on(connectString, sessionMillis, SettlingPolicy.DEFAULT);
    }

    static Instances on(String connectString, int sessionMillis, SettlingPolicy policy) {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(connectString).withSessionTimeout(sessionMillis);
        return new Instances(id -> new PlainInstance(id, config, policy));
    }

    /** Starts an instance; does not wait. */
    PlainInstance start(String id) {
        return add(factory.apply(id));
    }

    /** Starts an instance of another kind; does not wait. */
    PlainInstance add(PlainInstance instance) {
        running.put(instance.id(), instance);
        instance.start();
        return instance;
    }

    /** Starts instances together and waits until all are settled. */
    public Instances startAll(String... ids) {
        Stream.of(ids).forEach(this::start);
        awaitSettled();
        return this;
    }

    /** Starts {@code i0}, {@code i1} and so on. */
    public Instances startAll(int size) {
        return startAll(IntStream.range(0, size).mapToObj(i -> "i" + i).toArray(String[]::new));
    }

    /** Stops an instance, which leaves its cluster. */
    void stop(String id) {
        running.remove(id).close();
    }

    PlainInstance get(String id) {
        return running.get(id);
    }

    public Collection<PlainInstance> all() {
        return List.copyOf(running.values());
    }

    private boolean isSettled() {
        return all().stream().allMatch(each -> each.order().size() == running.size() && each.hasReceivedItsView())
                && all().stream()
                                .mapToLong(PlainInstance::viewNumber)
                                .distinct()
                                .count()
                        == 1;
    }

    /** Waits until all hold the same view, whose members they are. */
    public void awaitSettled() {
        awaitThat(running.keySet() + " settled", this::isSettled);
    }

    /** Waits for that, and for no other view during the given time. */
    void awaitSettled(Duration during, Duration limit) {
        await("all to be settled").atMost(limit).during(during).until(this::isSettled);
    }

    void awaitOrder(String... order) {
        awaitThat(
                "order " + List.of(order),
                () -> isSettled()
                        && all().stream().allMatch(each -> each.order().equals(List.of(order))));
    }

    /** Waits until an instance reports a problem whose sentence has all these parts. */
    void awaitProblem(String id, String... parts) {
        awaitThat(String.join(" and ", parts) + " is named", () -> get(id).report().problems().stream()
                .anyMatch(problem -> Stream.of(parts).allMatch(problem::contains)));
    }

    void awaitNoProblems() {
        awaitThat("no problems", () -> all().stream()
                .allMatch(each -> each.report().problems().isEmpty()));
    }

    /** Returns how many events each listener has received. */
    public Map<PlainInstance, Integer> marks() {
        return all().stream()
                .collect(Collectors.toMap(each -> each, each -> each.events().size()));
    }

    /** Checks that the instances of the marks have received these events since then, and no others. */
    public static void assertSince(Map<PlainInstance, Integer> marks, Type... types) {
        List<String> expected = Stream.of(types).map(Type::name).toList();
        marks.forEach((instance, mark) -> assertThat(instance.types(mark))
                .as("events of " + instance.id())
                .isEqualTo(expected));
    }

    @Override
    public void close() {
        all().parallelStream().forEach(PlainInstance::close);
    }
}
