// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.client;

import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport.PeerExchanges;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.Messages;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
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
import java.util.stream.Stream;
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
    private static final Timing TIMING = new Timing(Duration.ofMillis(INTERVAL), Duration.ofSeconds(110), 5);

    private final VirtualTime virtual = new VirtualTime();
    private final VirtualProcess process = new VirtualProcess(virtual);
    private final Time time = new Time(process::clock, () -> WALL + process.clock());
    private AnnouncementRegistry registry;
    private final Peers peers = new Peers();
    private final List<String> logged = new ArrayList<>();
    private boolean current = true;
    private RuntimeException fault;
    private OutgoingConnector connector = connector(false, B);

    private AnnouncementRegistry registry(ConnectorSettings settings) {
        AnnouncementRegistry made = new AnnouncementRegistry("a1", "", settings, time, () -> {}, 1 << 24);
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

    /** Each step is followed by all that is due then. */
    private void play(String step) {
        String[] words = step.split(" ");
        switch (words[0]) {
            case "ping" -> connector.pingNow(false);
            case "reset" -> connector.pingNow(true);
            case "accept" -> peers.accept(words[1], words.length > 2 ? Long.parseLong(words[2]) : 0);
            case "loop" -> peers.loop(words[1], Long.parseLong(words[2]));
            case "fail" -> peers.fail(peers.asked + " is down.");
            case "dropped" -> peers.complete(new PeerExchanges.Result(Optional.empty(), Optional.empty(), 0, 0));
            case "changing" -> current = false;
            case "settled" -> current = true;
            case "close" -> connector.close().thenRun(() -> peers.calls.add("end"));
            default -> virtual.run(Long.parseLong(words[0]));
        }
        virtual.run(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // It pings immediately, and then at the interval.
                "b | ping | ping b | CONNECTING | first ping",
                "b | ping; accept b1; 29999 | ping b | CONNECTED | b1",
                "b | ping; accept b1; 30000 | ping b, ping b | CONNECTED | b1",
                // A demand counts whatever the back-off, and gives up the earlier time; during an exchange one more
                // follows.
                "b | ping; accept b1 150; 1000; reset; 150000 | ping b, ping b reset | CONNECTED | b1",
                "b | ping; ping; reset; ping | ping b | CONNECTING | ''",
                "b | ping; ping; reset; ping; accept b1; accept b1; 29999 | ping b, ping b reset | CONNECTED | b1",
                "b | ping; accept b1; reset; fail; 30000; accept b1; 30000"
                        + " | ping b, ping b reset, ping b reset, ping b | CONNECTED | b1",
                // There is nothing to say.
                "b | changing; ping | '' | CONNECTING | local view is not current",
                "b | changing; ping; settled; 30000 | ping b | CONNECTING | ''",
                // Loops
                "b | ping; loop b1 150; 149999 | ping b | STANDBY | b1 knows this cluster in another way",
                "b | ping; loop b1 150; 150000 | ping b, ping b | STANDBY | ''",
                "b c | ping; loop b1 0 | ping b | STANDBY | ''",
                "b | ping; loop a1 0; 30000 | ping b, ping b | STANDBY | leads back",
                "stop b | ping; ping; loop a1 0; 300000; reset; 300000 | ping b | STOPPED | until the configuration changes",
                // Fall-backs are asked immediately and in order. One that works stays in use until it fails.
                "b c d | ping; fail; fail | ping b, ping c, ping d | CONNECTING | ''",
                "b c d | ping; fail; fail; fail | ping b, ping c, ping d | FAILING | b is down. c is down. d is down.",
                "b c d | ping; fail; fail; fail; 30000 | ping b, ping c, ping d, ping b | FAILING | ''",
                "b c | ping; accept b1; 30000; fail; accept c1; 30000 | ping b, ping b, ping c, ping c | CONNECTED | c1",
                "b c | ping; fail; accept c1; 30000; fail; fail; 30000 | ping b, ping c, ping c, ping b, ping b | FAILING | ''",
                // The announcement of the peer expires in silence.
                "b | ping; accept b1; changing; 110000 | ping b | CONNECTING | b1 expired",
                // The end: the peer drops what it holds, but only after a ping that is under way, and no thread waits
                // long.
                "b | ping; accept b1; 1000; close | ping b, delete b | CONNECTED | ''",
                "b | ping; accept b1; 1000; close; dropped; reset; 300000 | ping b, delete b, end | CONNECTING | ''",
                "b | ping; accept b1; close; 1999 | ping b, delete b | CONNECTED | ''",
                "b | ping; accept b1; close; 2000 | ping b, delete b, end | CONNECTED | ''",
                "b | ping; loop b1 0; close | ping b, end | STANDBY | ''",
                "b | ping; close; 999 | ping b | CONNECTING | ''",
                "b | ping; close; 1000 | ping b, delete b | CONNECTING | ''",
                "b | ping; close; accept b1 | ping b, delete b | CONNECTING | ''",
                "b | ping; close; accept b1; dropped | ping b, delete b, end | CONNECTING | ''"
            })
    void doesWhatFollows(String urls, String steps, String calls, ConnectorState state, String words) {
        connector = connector(
                urls.startsWith("stop"),
                Stream.of(urls.replace("stop ", "").split(" "))
                        .map(each -> each.equals("b") ? B : each.equals("c") ? C : D)
                        .toArray(String[]::new));
        registry.showSiblings(List.of(cluster("b", "b1")));
        Stream.of(steps.split("; ")).forEach(this::play);
        assertThat(String.join(", ", peers.calls)).as("%s", logged).isEqualTo(calls);
        assertThat(connector.report().state()).isEqualTo(state);
        assertThat(connector.report().sentence()).contains(words);
        if (steps.contains("close")) {
            assertThat(registry.held()).isEmpty();
        }
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
        assertThat(report.state()).isEqualTo(ConnectorState.CONNECTED);
        assertThat(report.sentence()).contains("b1").contains(SHOWN_B).doesNotContain("secret");
        assertThat(report.times().sinceMillis()).isEqualTo(WALL + process.clock());
        assertThat(report.peer()).hasValue("b1");
        assertThat(report.times().exchangedMillis()).hasValue(WALL + process.clock());
        assertThat(report.times().expiresMillis()).hasValue(WALL + process.clock() + 110_000);
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
    void keepsTheAnnouncementUntilItExpires() {
        start();
        peers.accept("b1");
        for (int i = 0; i < 3; i++) {
            virtual.run(INTERVAL);
            peers.fail("b is down.");
        }
        virtual.run(20_000 - 1);
        assertThat(registry.held()).containsOnlyKeys("b1");
        assertThat(connector.report().state()).isEqualTo(ConnectorState.FAILING);
        assertThat(connector.report().times().expiresMillis()).hasValue(WALL + process.clock() + 1);
        virtual.run(1);
        assertThat(registry.held()).isEmpty();
        assertThat(connector.report().times().expiresMillis()).isEmpty();
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
    void endsAlsoWhenTheSchedulerHasEnded() {
        OutgoingConnector late = new OutgoingConnector(
                settings(false, B), 0, registry, new Transport(rejecting(), peers, () -> {}), time, log());
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

    private static ConnectorSettings settings(boolean autoStop, String... urls) {
        return new ConnectorSettings(
                List.of(Arrays.stream(urls).map(URI::create).toList()),
                ConnectorSettings.DEFAULT.allowed(),
                Optional.empty(),
                TIMING,
                ConnectorSettings.Transfer.DEFAULT,
                autoStop);
    }

    private OutgoingConnector connector(boolean autoStop, String... urls) {
        ConnectorSettings settings = settings(autoStop, urls);
        registry = registry(settings);
        return new OutgoingConnector(
                settings, 0, registry, new Transport(process.executor(() -> 0), peers, () -> {}), time, log());
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
        private String asked;

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
            asked = call.split(" ")[1];
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
