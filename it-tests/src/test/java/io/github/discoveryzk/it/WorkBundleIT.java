// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.WorkView;
import io.github.discoveryzk.work.Worker;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.ServiceRegistration;

/** Workers come, change and go in the service registry, and ownerships with them. */
public class WorkBundleIT extends ContainerTest {

    private static final String PID = "io.github.discoveryzk.work";
    private static final String OWNERSHIPS = "(objectClass=io.github.discoveryzk.work.Ownership)";

    private final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    protected Option[] more() {
        return options(Setup.bundles("discovery-work"));
    }

    private Worker worker() {
        return new Worker() {
            @Override
            public void begin(Ownership ownership) {
                calls.add("begin " + ownership.key() + " with " + container().count(service(ownership)));
            }

            @Override
            public void end(Ownership ownership) {
                calls.add("end " + ownership.key() + " with " + container().count(service(ownership)));
            }
        };
    }

    private static String service(Ownership ownership) {
        return "(&" + OWNERSHIPS + "(discovery.work=" + ownership.set() + ")(discovery.work.key=" + ownership.key()
                + ")(token=" + ownership.token() + "))";
    }

    private static Map<String, Object> offer(String set, String... keys) {
        return Map.of(Worker.SET, set, Worker.KEYS, keys);
    }

    private List<String> owned(String set) {
        WorkView view =
                container().service(container().all(WorkView.class).iterator().next());
        return List.copyOf(view.owners(set).keySet());
    }

    @Test
    public void ownershipsAreServicesAsLongAsTheyLast() {
        ServiceRegistration<Worker> registration =
                container().register(Worker.class, worker(), offer("changing", "a", "b"));
        untilAsserted(() -> assertThat(container().count(OWNERSHIPS)).isEqualTo(2));
        assertThat(calls).containsExactlyInAnyOrder("begin a with 0", "begin b with 0");
        assertThat(owned("changing")).containsExactly("a", "b");
        Reporter reporter =
                container().service(container().all(Reporter.class).iterator().next());
        assertThat(reporter.objections()).anyMatch(each -> each.contains("Keys that no other instance offers: 2"));
        assertThat(Metric.flat(reporter.metrics())).containsEntry("work_keys", 2.0);

        registration.setProperties(new Hashtable<>(offer("changing", "b", "c")));
        untilAsserted(() -> assertThat(calls).contains("begin c with 0", "end a with 0"));
        untilAsserted(() -> assertThat(container().count(OWNERSHIPS)).isEqualTo(2));

        container().unregister(registration);
        assertThat(calls).as("it waits for the end").contains("end b with 0", "end c with 0");
        assertThat(container().count(OWNERSHIPS)).isZero();
        untilAsserted(() -> assertThat(owned("changing")).isEmpty());
    }

    @Test
    public void aWorkerThatCannotBeUsedIsNamed() {
        ServiceRegistration<Worker> registration =
                container().register(Worker.class, worker(), Map.of(Worker.SET, 5, Worker.KEYS, "a"));
        untilAsserted(() -> assertThat(container().report().problems()).anySatisfy(each -> assertThat(each)
                .contains("discovery.work is not a text")
                .contains(ownBundle())));
        registration.setProperties(new Hashtable<>(offer("mended", "a")));
        untilAsserted(() -> assertThat(owned("mended")).containsExactly("a"));
        assertThat(container().report().problems()).noneMatch(each -> each.contains("is not a text"));
        container().unregister(registration);
    }

    @Test
    public void aWrongDelayIsNamed() {
        container().configure(PID, Map.of("balanceDelayMillis", "soon"));
        untilAsserted(() -> assertThat(container().report().problems())
                .anySatisfy(each -> assertThat(each).contains("balanceDelayMillis")));
        container().delete(PID);
        untilAsserted(() ->
                assertThat(container().report().problems()).noneMatch(each -> each.contains("balanceDelayMillis")));
    }
}
