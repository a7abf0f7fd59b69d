// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.containers.ConsoleLine;
import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Each bundle is updated, restarted and refreshed in a random order, while an application listens and instances come and go. Each third
 * time the next operation does not wait for a settled topology.
 */
class BundleUpdatesIT {

    private static final List<String> JARS = List.of(
            "discovery-api",
            "discovery-commons",
            "discovery-base",
            "discovery-connectors",
            "discovery-zk",
            "discovery-webconsole",
            "discovery-work",
            "discovery-cluster-info");
    private static final List<String> OURS = JARS.stream()
            .map(each -> new BundleJar(each).header("Bundle-SymbolicName"))
            .toList();
    private static final String CLUSTER = "updates";
    private static final String TREE = "/sling/discovery/clusters/" + CLUSTER + "/";
    private static final String ID = "updated";
    private static final String PEER = "peer";

    /** In each round each bundle gets each operation once. */
    private static final int ROUNDS = Boolean.getBoolean("discovery.thorough") ? 34 : 2;

    private static final int WAITED = 3;

    private final long seed = Long.getLong("discovery.updates.seed", 21);
    private final Random random = new Random(seed);
    private final ConcurrentLinkedDeque<EventRecord> records = new ConcurrentLinkedDeque<>();
    private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    private final Visits visits = new Visits(() -> instance("guest"));

    @TempDir
    private Path folder;

    private TestServer server;
    private EmbeddedFramework framework;
    private Container container;
    private PlainInstance peer;

    /** What is done to a bundle; each returns when the framework has finished. */
    private enum Operation {
        /** As installers do it: an update alone leaves the users of the bundle with the classes of before. */
        UPDATE {
            @Override
            void apply(EmbeddedFramework framework, Bundle bundle) throws Exception {
                bundle.update();
                framework.refresh(bundle);
            }
        },
        RESTART {
            @Override
            void apply(EmbeddedFramework framework, Bundle bundle) throws Exception {
                bundle.stop();
                bundle.start();
            }
        },
        REFRESH {
            @Override
            void apply(EmbeddedFramework framework, Bundle bundle) {
                framework.refresh(bundle);
            }
        };

        abstract void apply(EmbeddedFramework framework, Bundle bundle) throws Exception;
    }

    private record Step(String bundle, Operation operation) {}

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
        Map<String, String> settings = Map.of(
                "connectString",
                server.address(),
                "clusterName",
                CLUSTER,
                "sessionTimeoutMillis",
                String.valueOf(PlainInstance.SESSION_MILLIS));
        framework = new EmbeddedFramework(
                getClass(),
                Setup.member(getClass(), settings, ID),
                Setup.http(Ports.free()),
                Setup.shell(),
                Setup.bundles(ConsoleLine.JAKARTA.all().toArray(String[]::new)),
                Setup.bundles(JARS.toArray(String[]::new)));
        container = new Container(framework.context());
        peer = instance(PEER).join();
        framework
                .context()
                .addServiceListener(
                        (AllServiceListener) this::onDiscovery,
                        "(" + Constants.OBJECTCLASS + "=org.apache.sling.discovery.DiscoveryService)");
        framework.context().registerService(Function.class, (Function<String, Consumer<String>>) this::record, null);
        framework.start(
                "listening",
                new ApplicationBundle("org.example.listening", "org.apache.sling.discovery,org.osgi.framework")
                        .withHeader(Constants.BUNDLE_ACTIVATOR, ListeningActivator.class.getName())
                        .withClasses(List.of(
                                ListeningActivator.class,
                                Class.forName(ListeningActivator.class.getName() + "$Listener")))
                        .jar());
    }

    @AfterEach
    void stop() throws Exception {
        visits.close();
        peer.close();
        framework.stop();
        server.close();
    }

    private PlainInstance instance(String id) {
        return new PlainInstance(
                id,
                ZooKeeperStoreConfig.of(server.address())
                        .withClusterName(CLUSTER)
                        .withSessionTimeout(PlainInstance.SESSION_MILLIS));
    }

    private Consumer<String> record(String name) {
        EventRecord made = new EventRecord(name);
        records.add(made);
        return made;
    }

    private void onDiscovery(ServiceEvent event) {
        if (event.getType() == ServiceEvent.UNREGISTERING) {
            records.forEach(EventRecord::addServiceGone);
        }
    }

    /** Returns the record of the last registration of each listener. */
    private List<EventRecord> registered() {
        return Stream.of("first", "second")
                .map(name -> records.stream()
                        .filter(each -> each.name().equals(name))
                        .reduce((before, after) -> after)
                        .orElseThrow())
                .toList();
    }

    @Test
    void nothingIsLostAndNothingIsLeft() throws Exception {
        settle();
        play();
        Left first = left();
        for (int i = 1; i < ROUNDS; i++) {
            play();
        }
        assertThat(left()).as("what there is, seed %d", seed).isEqualTo(first);
        untilLoadersAreGone();
        assertThat(records).allSatisfy(EventRecord::assertGrammar);
        assertThat(container.log())
                .filteredOn(line -> line.startsWith("ERROR") || line.startsWith("WARN"))
                .isEmpty();
    }

    /** Gives each bundle each operation in a random order. */
    private void play() throws Exception {
        List<Step> steps = new ArrayList<>(OURS.stream()
                .flatMap(name -> Stream.of(Operation.values()).map(each -> new Step(name, each)))
                .toList());
        Collections.shuffle(steps, random);
        visits.begin();
        for (Step step : steps) {
            rememberLoaders();
            step.operation().apply(framework, container.bundle(step.bundle()));
            if (random.nextInt(WAITED) > 0) {
                settle();
            }
        }
        untilAsserted(() -> {
            visits.assertGoing();
            assertThat(registered()).allMatch(EventRecord::hasChanges, "see a guest");
        });
        visits.end();
        settle();
    }

    private void settle() {
        untilAsserted(() -> {
            registered().forEach(each -> each.assertSettled(List.of(ID, PEER)));
            assertThat(peer.properties(ID)).containsKey(ListeningActivator.PROPERTY);
        });
    }

    /**
     * What exists in and of this instance between two rounds.
     *
     * @param threads the names of its threads but those that call listeners, which come and go
     * @param services how many services of some kinds there are
     * @param watches how many watches all instances have set
     */
    private record Left(List<String> threads, List<Integer> services, int watches) {}

    private Left left() throws Exception {
        untilAsserted(() -> {
            assertThat(peer.order()).containsExactlyInAnyOrder(ID, PEER);
            assertTree();
            assertThat(threads("discovery-" + ID)).doesNotHaveDuplicates();
            assertThat(threads("discovery-neighbours"))
                    .as("that of the bundle and that of the peer")
                    .hasSize(2);
            assertThat(services())
                    .as("nodes, pages, commands of the page and of work")
                    .containsExactly(2, 1, 2);
        });
        return new Left(
                threads("discovery-" + ID).stream()
                        .filter(name -> !name.contains("-calls-"))
                        .toList(),
                services(),
                server.watches());
    }

    private void assertTree() throws Exception {
        List<String> members = server.children(TREE + "members");
        assertThat(members).as("member nodes").hasSize(2);
        assertThat(server.sessions()).as("sessions").hasSize(2);
        assertThat(server.children(TREE + "acks"))
                .as("acknowledgements")
                .hasSizeLessThanOrEqualTo(2)
                .allMatch(name -> members.stream().anyMatch(name::endsWith));
        assertThat(server.children(TREE + "departures")).as("leave records").isEmpty();
        assertThat(server.exists(TREE + "announcements")).as("announcements").isFalse();
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .toList();
    }

    private List<Integer> services() {
        return Stream.of(
                        "(objectClass=org.osgi.service.clusterinfo.NodeStatus)",
                        "(felix.webconsole.label=topology)",
                        "(osgi.command.scope=discovery)")
                .map(container::count)
                .toList();
    }

    private Stream<ClassLoader> present() {
        return Stream.concat(OURS.stream(), Stream.of("org.example.listening"))
                .map(container::bundle)
                .map(bundle -> bundle.adapt(BundleWiring.class).getClassLoader());
    }

    private void rememberLoaders() {
        Set<ClassLoader> known = new HashSet<>();
        loaders.forEach(each -> known.add(each.get()));
        present().filter(each -> !known.contains(each)).forEach(each -> loaders.add(new WeakReference<>(each)));
    }

    private void untilLoadersAreGone() {
        untilAsserted(() -> {
            System.gc();
            assertThat(loaders.stream().map(WeakReference::get).filter(Objects::nonNull))
                    .as("class loaders")
                    .isSubsetOf(present().toList());
        });
    }
}
