// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import static org.apache.sling.discovery.base.connector.wire.Messages.cluster;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.sling.discovery.base.connector.registry.AnnouncementRegistry;
import org.apache.sling.discovery.base.connector.registry.Timing;
import org.apache.sling.discovery.base.connector.wire.Message;
import org.apache.sling.discovery.base.connector.wire.Messages;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.State;
import org.apache.sling.discovery.testing.time.VirtualProcess;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;

class OutgoingConnectorTest {
    private static final long WALL = 1_700_000_000_000L;
    private static final String B = "http://user:secret@b.example/topology/connector";
    private static final String SHOWN_B = "http://b.example/topology/connector";
    private static final String C = "http://c.example/topology/connector";
    private static final String D = "http://d.example/topology/connector";
    private static final long INTERVAL = 30_000;
    private static final Timing TIMING = new Timing(Duration.ofMillis(INTERVAL), Duration.ofSeconds(110), 5, 5);

    private final VirtualTime virtual = new VirtualTime();
    private final VirtualProcess process = new VirtualProcess(virtual);
    private final Time time = new Time(process::clock, () -> WALL + process.clock());
    private final AnnouncementRegistry registry = registry();
    private final Peers peers = new Peers();
    private final List<String> logged = new ArrayList<>();
    private boolean current = true;
    private RuntimeException fault;
    private OutgoingConnector connector = connector(false, B);

    private AnnouncementRegistry registry() {
        AnnouncementRegistry made = new AnnouncementRegistry("a1", "", TIMING, false, time, () -> {}, 1 << 24);
        made.showLocal(cluster("a", "a1"), () -> {
            if (fault != null) {
                throw fault;
            }
            return current;
        });
        return made;
    }

    private void start() {
        connector.pingNow(false);
        virtual.run(0);
    }

    @Test
    void pingsImmediatelyAndThenAtTheInterval() {
        start();
        assertThat(peers.calls).containsExactly("ping b");
        assertThat(connector.report().state()).isEqualTo(State.CONNECTING);
        assertThat(connector.report().nextPingMillis()).isEmpty();
        peers.accept("b1");
        virtual.run(INTERVAL - 1);
        assertThat(peers.calls).hasSize(1);
        assertThat(connector.report().nextPingMillis()).hasValue(WALL + process.clock() + 1);
        virtual.run(1);
        assertThat(peers.calls).containsExactly("ping b", "ping b");
    }

    @Test
    void reportsWhatItIsConnectedTo() {
        connector.pingNow(false);
        virtual.run(7);
        peers.complete(new PeerExchanges.Result(Optional.of(message("b1")), Optional.empty(), 120, 340));
        virtual.run(0);
        ConnectorReport.Outgoing report = connector.report();
        assertThat(report.urls()).containsExactly(SHOWN_B);
        assertThat(report.url()).isEqualTo(SHOWN_B);
        assertThat(report.state()).isEqualTo(State.CONNECTED);
        assertThat(report.sentence()).contains("b1").contains(SHOWN_B).doesNotContain("secret");
        assertThat(report.sinceMillis()).isEqualTo(WALL + process.clock());
        assertThat(report.peer()).hasValue("b1");
        assertThat(report.exchangedMillis()).hasValue(WALL + process.clock());
        assertThat(report.expiresMillis()).hasValue(WALL + process.clock() + 110_000);
        assertThat(report.traffic()).isEqualTo(new ConnectorReport.Traffic(1, 0, 120, 340));
    }

    @ParameterizedTest
    @CsvSource({"0, 30000", "5, 30000", "150, 150000", "86400, 3600000"})
    void waitsAsLongAsThePeerAsksWithinLimits(long backoffSeconds, long millis) {
        start();
        peers.accept("b1", backoffSeconds);
        virtual.run(millis - 1);
        assertThat(peers.calls).hasSize(1);
        virtual.run(1);
        assertThat(peers.calls).hasSize(2);
    }

    @Test
    void pingsImmediatelyWhenAskedWhateverTheBackoff() {
        start();
        peers.accept("b1", 150);
        virtual.run(1_000);
        connector.pingNow(true);
        virtual.run(0);
        assertThat(peers.calls).containsExactly("ping b", "ping b reset");
        virtual.run(150_000);
        assertThat(peers.calls).as("the earlier time is given up").hasSize(2);
    }

    @Test
    void demandsDuringAnExchangeCauseOneMore() {
        start();
        connector.pingNow(false);
        connector.pingNow(true);
        connector.pingNow(false);
        virtual.run(0);
        assertThat(peers.calls).as("one at a time").hasSize(1);
        peers.accept("b1");
        virtual.run(0);
        assertThat(peers.calls).containsExactly("ping b", "ping b reset");
        peers.accept("b1");
        virtual.run(INTERVAL - 1);
        assertThat(peers.calls).hasSize(2);
    }

    @Test
    void demandsTheResetAgainAfterAFailure() {
        start();
        peers.accept("b1");
        connector.pingNow(true);
        virtual.run(0);
        peers.fail("it is down.");
        virtual.run(INTERVAL);
        peers.accept("b1");
        virtual.run(INTERVAL);
        assertThat(peers.calls).containsExactly("ping b", "ping b reset", "ping b reset", "ping b");
    }

    @Test
    void sendsNothingWhileThereIsNothingToSay() {
        current = false;
        start();
        assertThat(peers.calls).isEmpty();
        assertThat(connector.report().sentence()).contains("local view is not current");
        assertThat(connector.report().state()).isEqualTo(State.CONNECTING);
        current = true;
        virtual.run(INTERVAL);
        assertThat(peers.calls).hasSize(1);
    }

    @Test
    void standsByAfterALoop() {
        registry.showSiblings(List.of(cluster("b", "b1")));
        start();
        peers.loop("b1", 150);
        virtual.run(149_000 - 1);
        assertThat(connector.report().state()).isEqualTo(State.STANDBY);
        assertThat(connector.report().sentence()).isEqualTo("the peer b1 knows this cluster in another way");
        assertThat(connector.report().expiresMillis()).isEmpty();
        assertThat(connector.report().exchangedMillis()).isEmpty();
        assertThat(peers.calls).hasSize(1);
        virtual.run(1_001);
        assertThat(peers.calls).hasSize(2);
    }

    @Test
    void stopsWhenItLeadsBackAndIsConfiguredTo() {
        connector = connector(true, B);
        start();
        connector.pingNow(false);
        virtual.run(0);
        peers.loop("a1", 0);
        virtual.run(10 * INTERVAL);
        connector.pingNow(true);
        virtual.run(10 * INTERVAL);
        assertThat(peers.calls).hasSize(1);
        assertThat(connector.report().state()).isEqualTo(State.STOPPED);
        assertThat(connector.report().sentence()).contains("leads back").contains("until the configuration changes");
        assertThat(connector.report().nextPingMillis()).isEmpty();
    }

    @Test
    void triesFallBacksImmediatelyAndInOrder() {
        connector = connector(false, B, C, D);
        start();
        peers.fail("b is down.");
        virtual.run(0);
        peers.fail("c is down.");
        virtual.run(0);
        assertThat(peers.calls).containsExactly("ping b", "ping c", "ping d");
        peers.fail("d is down.");
        virtual.run(0);
        assertThat(connector.report().state()).isEqualTo(State.FAILING);
        assertThat(connector.report().sentence()).isEqualTo("b is down. c is down. d is down.");
        assertThat(connector.report().traffic().failures()).isEqualTo(3);
        virtual.run(INTERVAL);
        assertThat(peers.calls).hasSize(4).last().isEqualTo("ping b");
    }

    @Test
    void returnsToThePreferredUrlWhenAllFail() {
        connector = connector(false, B, C);
        useFallBack();
        virtual.run(INTERVAL);
        peers.fail("c is down.");
        virtual.run(0);
        peers.fail("b is down.");
        peers.calls.clear();
        virtual.run(INTERVAL);
        assertThat(peers.calls).containsExactly("ping b");
    }

    @Test
    void keepsTheAnnouncementUntilItExpires() {
        start();
        peers.accept("b1");
        for (int i = 0; i < 3; i++) {
            virtual.run(INTERVAL);
            peers.fail("b is down.");
        }
        virtual.run(20_000 - 1);
        assertThat(registry.held()).containsOnlyKeys("b1");
        assertThat(connector.report().state()).isEqualTo(State.FAILING);
        assertThat(connector.report().expiresMillis()).hasValue(WALL + process.clock() + 1);
        virtual.run(1);
        assertThat(registry.held()).isEmpty();
        assertThat(connector.report().expiresMillis()).isEmpty();
    }

    @Test
    void isNoLongerConnectedWhenTheAnnouncementExpiresInSilence() {
        start();
        peers.accept("b1");
        current = false;
        virtual.run(110_000);
        assertThat(connector.report().state()).isEqualTo(State.CONNECTING);
        assertThat(connector.report().sentence()).contains("b1 expired").contains("not current");
    }

    @Test
    void logsOncePerChangeOfState() {
        start();
        for (int i = 0; i < 5; i++) {
            peers.fail("b is down.");
            virtual.run(INTERVAL);
        }
        for (int i = 0; i < 5; i++) {
            peers.accept("b1");
            virtual.run(INTERVAL);
        }
        assertThat(logged).hasSize(2);
        assertThat(logged.get(0)).startsWith("warn").contains(SHOWN_B).contains("b is down.");
        assertThat(logged.get(1)).startsWith("info").contains(SHOWN_B).contains("CONNECTED");
        assertThat(logged.toString()).doesNotContain("secret");
    }

    @Test
    void logsWhenItUsesAnotherUrl() {
        connector = connector(false, B, C);
        start();
        peers.accept("b1");
        virtual.run(INTERVAL);
        logged.clear();
        peers.fail("b is down.");
        virtual.run(0);
        peers.accept("c1");
        virtual.run(0);
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0)).startsWith("info").contains(C);
        assertThat(connector.report().sentence()).contains("fall-back").contains("b is down.");
    }

    @Test
    void survivesAFaultOfItsOwn() {
        fault = new IllegalStateException("planted");
        start();
        fault = null;
        virtual.run(INTERVAL);
        assertThat(peers.calls).containsExactly("ping b");
        assertThat(logged).hasSize(1);
        assertThat(logged.get(0)).startsWith("error");
    }

    @Test
    void tellsThePeerWhenItEnds() {
        start();
        peers.accept("b1");
        virtual.run(1_000);
        CompletableFuture<Void> end = connector.close();
        virtual.run(0);
        assertThat(peers.calls).as("%s", logged).containsExactly("ping b", "delete b");
        assertThat(registry.held()).isEmpty();
        assertThat(end).isNotDone();
        peers.last().complete(new PeerExchanges.Result(Optional.empty(), Optional.empty(), 0, 0));
        assertThat(end).isCompleted();
        connector.pingNow(true);
        virtual.run(10 * INTERVAL);
        assertThat(peers.calls).hasSize(2);
        assertThat(connector.close()).isSameAs(end);
    }

    @Test
    void doesNotWaitLongForThePeerWhenItEnds() {
        start();
        peers.accept("b1");
        virtual.run(0);
        CompletableFuture<Void> end = connector.close();
        virtual.run(Transport.DISCONNECT_MILLIS - 1);
        assertThat(end).isNotDone();
        virtual.run(1);
        assertThat(end).isCompleted();
        assertThat(peers.last()).isCancelled();
    }

    @Test
    void tellsNoPeerThatHoldsNothing() {
        start();
        peers.loop("b1", 0);
        virtual.run(0);
        CompletableFuture<Void> end = connector.close();
        virtual.run(0);
        assertThat(end).isCompleted();
        assertThat(peers.calls).containsExactly("ping b");
    }

    @Test
    void tellsThePeerAfterThePingThatIsUnderWay() {
        start();
        CompletableFuture<Void> end = connector.close();
        virtual.run(0);
        assertThat(peers.calls).as("the peer may read the ping yet").containsExactly("ping b");
        peers.accept("b1");
        virtual.run(0);
        assertThat(peers.calls).as("%s", logged).containsExactly("ping b", "delete b");
        assertThat(registry.held()).isEmpty();
        assertThat(end).isNotDone();
        peers.accept("b1");
        assertThat(end).isCompleted();
    }

    @Test
    void endsAnExchangeThatTakesLong() {
        start();
        CompletableFuture<PeerExchanges.Result> exchange = peers.last();
        connector.close();
        virtual.run(Transport.PATIENCE_MILLIS - 1);
        assertThat(exchange).isNotDone();
        virtual.run(1);
        assertThat(exchange).isCancelled();
        assertThat(peers.calls).as("the peer may have registered it already").containsExactly("ping b", "delete b");
    }

    @Test
    void endsAlsoWhenTheSchedulerHasEnded() {
        OutgoingConnector late = new OutgoingConnector(
                new OutgoingConnector.Setup("x", List.of(URI.create(B)), Duration.ofMillis(INTERVAL), false),
                registry,
                new Transport(rejecting(), peers, () -> {}),
                time,
                log());
        late.pingNow(true);
        assertThat(late.close()).isCompleted();
    }

    private static ScheduledExecutorService rejecting() {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                OutgoingConnectorTest.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    throw new RejectedExecutionException();
                });
    }

    /** Lets the second URL be in use. */
    private void useFallBack() {
        start();
        peers.fail("b is down.");
        virtual.run(0);
        peers.accept("c1");
        virtual.run(0);
    }

    private OutgoingConnector connector(boolean autoStop, String... urls) {
        return new OutgoingConnector(
                new OutgoingConnector.Setup(
                        "connector",
                        Arrays.stream(urls).map(URI::create).toList(),
                        Duration.ofMillis(INTERVAL),
                        autoStop),
                registry,
                new Transport(process.executor(() -> 0), peers, () -> {}),
                time,
                log());
    }

    private Logger log() {
        return (Logger) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    logged.add(method.getName() + " " + Arrays.deepToString(arguments));
                    return null;
                });
    }

    private static Message message(String id) {
        return Messages.message(single(id));
    }

    /** Peers whose replies the test gives. */
    private final class Peers implements PeerExchanges {
        private final List<String> calls = new ArrayList<>();
        private final List<CompletableFuture<Result>> futures = new ArrayList<>();
        @Override
        public CompletableFuture<Result> ping(URI url, Message message) {
            return add("ping " + host(url) + (message.resetBackoff() ? " reset" : ""));
        }
        @Override
        public CompletableFuture<Result> disconnect(URI url) {
            return add("delete " + host(url));
        }
        private String host(URI url) {
            return url.getHost().substring(0, 1);
        }
        private CompletableFuture<Result> add(String call) {
            calls.add(call);
            futures.add(new CompletableFuture<>());
            return last();
        }
        CompletableFuture<Result> last() {
            return futures.get(futures.size() - 1);
        }
        void accept(String id) {
            accept(id, 0);
        }
        void accept(String id, long backoffSeconds) {
            reply(message(id).withBackoff(backoffSeconds));
        }
        void loop(String id, long backoffSeconds) {
            reply(Message.loop(id, 1, backoffSeconds));
        }
        private void reply(Message message) {
            complete(new Result(Optional.of(message), Optional.empty(), 1, 1));
        }
        void fail(String sentence) {
            complete(Result.failed(sentence));
        }
        private void complete(Result result) {
            assertThat(last().complete(result)).isTrue();
        }
    }
}
