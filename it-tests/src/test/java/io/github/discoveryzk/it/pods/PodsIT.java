// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.pods;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.discoveryzk.it.containers.Document;
import io.github.discoveryzk.it.outside.Limit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/kubernetes.md} says of pods, in network namespaces, by a controller that knows readiness only. */
class PodsIT {

    private static final boolean THOROUGH = Boolean.getBoolean("discovery.thorough");
    /** How often all are restarted, by the plan and in another order. */
    private static final int ROUNDS = Integer.getInteger("discovery.restarts", THOROUGH ? 2 : 1);
    /** How long names stay unknown after the first start. */
    private static final Duration LATE =
            Duration.ofSeconds(Integer.getInteger("discovery.pods.late", THOROUGH ? 20 : 3));
    /** How long the other names stay unknown after each further start. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private static final List<Integer> PODS = List.of(0, 1, 2);
    /** The pod whose name stays unknown until the instance has a view by the servers of the others. */
    private static final int LATE_POD = 0;

    private final Random random = new Random(1);
    private Pods pods;

    @BeforeEach
    void begin(@TempDir Path folder) throws Exception {
        String obstacle = Network.obstacle();
        assumeTrue(obstacle.isEmpty(), "namespaces are not permitted here: " + obstacle);
        pods = new Pods(folder);
    }

    @AfterEach
    void end() throws Exception {
        if (pods != null) {
            pods.close();
        }
    }

    private void startInParallel() throws Exception {
        for (int pod : PODS) {
            pods.start(pod);
        }
        Limit.pass(LATE);
        for (int pod : PODS) {
            assertThat(pods.isReady(pod)).as("%s is ready without a name", pod).isFalse();
            pods.publish(pod);
        }
        PODS.forEach(pods::awaitReady);
        awaitMembers(PODS);
    }

    /** Waits until each of these pods acts on a view of as many members. */
    private void awaitMembers(List<Integer> members) {
        awaitThat("the pods " + members + " have a view", () -> {
            for (int pod : members) {
                if (order(pod).size() != members.size() || !state(pod).equals("SETTLED")) {
                    return false;
                }
            }
            return true;
        });
    }

    private String state(int pod) throws Exception {
        return pods.document(pod).path("status").path("state").asText();
    }

    private List<String> order(int pod) throws Exception {
        return stream(pods.document(pod).path("restart").path("order"))
                .map(step -> step.path("instanceId").asText())
                .toList();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private String id(int pod) throws Exception {
        return pods.document(pod).path("localInstanceId").asText();
    }

    /** Returns the pods in the order of the plan. */
    private List<Integer> plan() throws Exception {
        Map<String, Integer> byId = new HashMap<>();
        for (int pod : pods.all()) {
            byId.put(id(pod), pod);
        }
        return order(0).stream().map(byId::get).toList();
    }

    /** Returns the views that followed a view, as a pod knows them, with the newest one first. */
    private List<JsonNode> viewsAfter(int pod, long number) throws Exception {
        return stream(pods.document(pod).path("history").path("entries"))
                .filter(entry -> entry.path("number").asLong() > number)
                .toList();
    }

    private long latest(int pod) throws Exception {
        return pods.document(pod).path("view").path("number").asLong();
    }

    private void restart(int pod) throws Exception {
        long start = System.nanoTime();
        replace(pod);
        pods.awaitReady(pod);
        System.out.printf("restart of %d: %d ms%n", pod, millis(System.nanoTime() - start));
    }

    /** Stops a pod and starts it again, with its name known late. */
    private void replace(int pod) throws Exception {
        pods.stop(pod);
        pods.start(pod);
        if (pod == LATE_POD) {
            awaitThat("the pod has a view", () -> state(pod).equals("SETTLED"));
            assertThat(pods.isReady(pod)).as("ready without a server").isFalse();
        } else {
            Limit.pass(SOON);
        }
        pods.publish(pod);
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }

    /** Restarts all, one after the other; returns how often the lead moved. */
    private long restartAll(List<Integer> order) throws Exception {
        long before = latest(0);
        for (int pod : order) {
            restart(pod);
        }
        return movesOfTheLead(order, before);
    }

    /** Checks that all have been stopped and are back since a view, and had a view meanwhile; returns how often the lead moved. */
    private long movesOfTheLead(List<Integer> order, long before) throws Exception {
        awaitMembers(order);
        List<JsonNode> views = viewsAfter(0, before - 1);
        assertThat(views.stream().flatMap(view -> stream(view.path("left"))).toList())
                .as("departures")
                .hasSize(order.size())
                .allSatisfy(left -> assertThat(left.path("kind").asText()).isEqualTo("stopped"));
        for (int pod : pods.all()) {
            assertAlwaysCurrent(pod);
        }
        return views.stream()
                        .map(view -> view.path("token").asLong())
                        .distinct()
                        .count()
                - 1;
    }

    /** Checks that a pod has had a view since its first one but for changes, as a loss of the quorum would prevent. */
    private void assertAlwaysCurrent(int pod) throws Exception {
        List<String> states = new ArrayList<>();
        stream(pods.document(pod).path("recent").path("transitions"))
                .forEach(each -> states.add(0, each.path("to").asText()));
        List<String> since = states.subList(states.indexOf("SETTLED"), states.size());
        assertThat(since)
                .as("states of %s", pod)
                .doesNotContain("CONNECTING", "JOINING", "REFUSED", "QUARANTINED", "EXCLUDED");
        // A view can only be lost while it is current, which it is not during a change.
        assertThat(String.join(" ", since)).doesNotContain("SETTLED CUT_OFF", "SUSPENDED CUT_OFF");
    }

    @Test
    @Tag("thorough")
    void allStartTogetherAndRestartByThePlan() throws Exception {
        startInParallel();
        assertThat(restartAll(plan())).as("moves of the lead").isEqualTo(1);
    }

    @Test
    @Tag("thorough")
    void allStartInOrderAndRestartInAnyOrder() throws Exception {
        for (int pod : PODS) {
            pods.start(pod);
            Limit.pass(LATE);
            pods.publish(pod);
            pods.awaitReady(pod);
        }
        awaitMembers(PODS);
        for (int i = 0; i < ROUNDS; i++) {
            List<Integer> plan = plan();
            assertThat(restartAll(plan)).as("moves by the plan %s", plan).isEqualTo(1);
            List<Integer> any = new ArrayList<>(PODS);
            Collections.shuffle(any, random);
            assertThat(restartAll(any)).as("moves in the order %s", any).isBetween(1L, (long) any.size());
        }
    }

    /** The command that the script runs on a host is here a file, which names the host until its pod has been replaced. */
    @Test
    @Tag("thorough")
    void theScriptForThreeHostsRestartsAll(@TempDir Path programs) throws Exception {
        startInParallel();
        long before = latest(0);
        Path wanted = programs.resolve("wanted");
        Path ssh = Files.writeString(
                programs.resolve("ssh"),
                "echo \"$*\" > " + wanted + ".new; mv " + wanted + ".new " + wanted + "; while [ -e " + wanted
                        + " ]; do sleep 0.1; done");
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        List<Integer> order = List.of(1, 0, 2);
        Process script = pods.script(
                "PATH=" + programs + ":$PATH; " + Document.block("docs/kubernetes.md", "systemctl restart"),
                order.stream().map(Pods::name).toArray(String[]::new));
        for (int pod : order) {
            awaitThat("the script restarts a host", () -> Files.exists(wanted) || !script.isAlive());
            assertThat(wanted).content().isEqualTo(Pods.name(pod) + " systemctl restart app\n");
            replace(pod);
            Files.delete(wanted);
        }
        assertThat(script.waitFor()).isZero();
        assertThat(movesOfTheLead(order, before)).isBetween(1L, 3L);
    }

    @Test
    @Tag("thorough")
    void eachNodeIsLostInTurn() throws Exception {
        startInParallel();
        for (int lost : PODS) {
            long before = latest(others(lost).get(0));
            System.out.println(leaders());
            long since = System.currentTimeMillis();
            pods.cut(lost, true);
            awaitMembers(others(lost));
            for (int pod : others(lost)) {
                System.out.printf(
                        "%d is lost: %d had no view for %d ms, and one without it after %d ms%n",
                        lost, pod, unsettledMillis(pod, since), settled(pod) - since);
            }
            pods.cut(lost, false);
            awaitMembers(PODS);
            List<String> survivors =
                    List.of(id(others(lost).get(0)), id(others(lost).get(1)));
            assertThat(viewsAfter(others(lost).get(0), before))
                    .allSatisfy(view -> assertThat(stream(view.path("members"))
                                    .map(each -> each.path("id").asText()))
                            .containsAll(survivors));
        }
    }

    private static List<Integer> others(int pod) {
        return PODS.stream().filter(each -> each != pod).toList();
    }

    /** Returns who leads what, in words. */
    private String leaders() throws Exception {
        awaitThat("the servers are asked", () -> pods.document(0).toString().contains(" leads.\""));
        return Pattern.compile("Server (\\d) leads")
                        .matcher(pods.document(0).toString())
                        .results()
                        .map(each -> "the server of " + (Integer.parseInt(each.group(1)) - 1) + " leads")
                        .findFirst()
                        .orElseThrow()
                + ", as does the instance of " + plan().get(PODS.size() - 1);
    }

    /** Returns when a pod entered its state. */
    private long settled(int pod) throws Exception {
        return pods.document(pod).path("status").path("sinceMillis").asLong();
    }

    /** Returns for how long a pod has had no view since a time, by the clock of the machine. */
    private long unsettledMillis(int pod, long since) throws Exception {
        long sum = 0;
        long end = 0;
        for (JsonNode each : pods.document(pod).path("recent").path("transitions")) {
            long at = each.path("millis").asLong();
            if (at < since) {
                break;
            }
            boolean holds =
                    Set.of("SETTLED", "SUSPENDED").contains(each.path("to").asText());
            sum += holds ? 0 : end - at;
            end = at;
        }
        return sum;
    }

    @Test
    @Tag("thorough")
    void aVolumeIsLostAndThenAllPods() throws Exception {
        startInParallel();
        String id = id(1);
        pods.stop(1);
        pods.removeVolume(1);
        pods.start(1);
        Limit.pass(LATE);
        assertThat(pods.isReady(1)).as("ready without a server").isFalse();
        pods.publish(1);
        pods.awaitReady(1);
        assertThat(id(1)).isNotEqualTo(id);
        restart(2);
        restart(0);
        awaitMembers(PODS);
        for (int pod : PODS) {
            assertAlwaysCurrent(pod);
        }

        pods.lose(PODS);
        startInParallel();
    }

    @Test
    @Tag("thorough")
    void podsWithoutAServerComeAndGo() throws Exception {
        startInParallel();
        for (int pod : List.of(3, 4)) {
            pods.start(pod);
            pods.publish(pod);
            pods.awaitReady(pod);
        }
        awaitMembers(List.of(0, 1, 2, 3, 4));
        restartAll(List.of(4, 3, 2, 1, 0));
        pods.stop(4);
        pods.stop(3);
        awaitMembers(PODS);
        for (int pod : PODS) {
            assertAlwaysCurrent(pod);
        }
    }
}
