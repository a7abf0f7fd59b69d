// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReportingTest {

    private static final String ENDPOINTS = InstanceDescription.PROPERTY_ENDPOINTS;

    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time);
    private final Map<String, String> values = new HashMap<>();
    private final PropertyProvider provider = values::get;
    private long pids;

    private VirtualInstance started(String id) {
        VirtualInstance instance = new VirtualInstance(id, ++pids, time, ensemble);
        instance.instance().start();
        assertThat(instance.await(State.SETTLED)).isTrue();
        return instance;
    }

    private void offer(VirtualInstance instance, String name, String value) {
        values.put(name, value);
        instance.instance().addPropertyProvider(provider, values.keySet().toArray(String[]::new));
        instance.instance().refreshProperties();
        time.run(300);
    }

    private static TopologyReport.Instance instance(VirtualInstance seenBy, String id) {
        return seenBy.report().clusters().get(0).instances().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Nested
    class Facts {

        @Test
        void theConnectionIsThatOfTheStore() {
            VirtualInstance a = started("a");
            time.run(5_000);
            TopologyReport report = a.report();

            assertThat(report.connection()).hasValueSatisfying(connection -> {
                assertThat(connection.session())
                        .isEqualTo("0x" + Long.toHexString(a.store().session()));
                assertThat(connection.timeoutMillis()).isEqualTo(VirtualInstance.SESSION_TIMEOUT);
                assertThat(connection.usable()).isTrue();
                assertThat(connection.roundTripMillis().getAsLong()).isBetween(2L, 20L);
                assertThat(report.generatedMillis() - connection.heardMillis().getAsLong())
                        .isBetween(0L, VirtualInstance.SESSION_TIMEOUT / 3 + 20L);
            });

            a.store().cut(20);
            time.run(200);
            assertThat(a.report().connection()).hasValueSatisfying(connection -> assertThat(connection.usable())
                    .isFalse());
        }

        @Test
        void thereIsNoConnectionAtFirst() {
            VirtualInstance a = new VirtualInstance("a", 1, time, ensemble);

            assertThat(a.report().connection()).isEmpty();
        }

        @Test
        void joinedWhenTheStoreMadeTheNode() {
            started("a");
            time.run(10_000);
            long before = time.now();
            VirtualInstance b = started("b");

            assertThat(instance(b, "b").joinedMillis()).isBetween(before, time.now());
            assertThat(instance(b, "a").joinedMillis()).isLessThan(before);

            time.run(10_000);
            long again = time.now();
            b.instance().standDown();
            time.run(1_000);
            assertThat(instance(b, "b").joinedMillis()).isBetween(again, time.now());
        }

        @Test
        void secretsAreMasked() {
            VirtualInstance a = started("a");
            offer(a, "db.password", "open sesame");

            assertThat(instance(a, "a").properties()).containsEntry("db.password", Secrets.MASK);
            assertThat(a.report().toString()).doesNotContain("open sesame");
        }

        @Test
        void theConsoleIsTheFirstEndpointOfHttp() {
            VirtualInstance a = started("a");
            VirtualInstance b = started("b");
            assertThat(instance(b, "a").console()).isEmpty();
            offer(a, ENDPOINTS, "ftp://x/, https://node-1:8443/ctx/,http://node-1:8080/");

            assertThat(instance(b, "a").console()).contains("https://node-1:8443/ctx/");
        }
    }

    @Nested
    class PropertyChanges {

        @Test
        void areRememberedWithBothValuesNewestFirst() {
            VirtualInstance a = started("a");
            VirtualInstance b = started("b");
            offer(a, "color", "red");
            offer(a, "color", "blue");
            offer(a, "api.key", "1234");
            values.remove("color");
            a.instance().refreshProperties();
            time.run(300);

            assertThat(b.report().recent().propertyChanges())
                    .extracting(
                            PropertyChange::instanceId,
                            PropertyChange::name,
                            PropertyChange::before,
                            PropertyChange::after)
                    .containsExactly(
                            tuple("a", "color", Optional.of("blue"), Optional.empty()),
                            tuple("a", "api.key", Optional.empty(), Optional.of(Secrets.MASK)),
                            tuple("a", "color", Optional.of("red"), Optional.of("blue")),
                            tuple("a", "color", Optional.empty(), Optional.of("red")));
        }

        @Test
        void areBoundedInNumberAndLength() {
            VirtualInstance a = started("a");
            for (int i = 0; i < 120; i++) {
                offer(a, "long", ("" + i).repeat(3_000));
            }

            assertThat(a.report().recent().propertyChanges()).hasSize(100).allSatisfy(change -> assertThat(
                            change.after().orElseThrow().length())
                    .isLessThan(2_100));
        }

        @Test
        void duringAChangeOfViewAreRememberedToo() {
            VirtualInstance a = started("a");
            VirtualInstance b = started("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            b.hang();
            new VirtualInstance("c", ++pids, time, ensemble).instance().start();
            assertThat(a.await(State.CHANGING)).isTrue();
            offer(a, "color", "red");
            assertThat(a.state()).isEqualTo(State.CHANGING);

            assertThat(a.awaitOrder("a", "c")).isTrue();
            assertThat(a.report().recent().propertyChanges())
                    .extracting(PropertyChange::name)
                    .containsExactly("color");
        }
    }

    @Nested
    class Revisions {

        private final AtomicInteger calls = new AtomicInteger();

        @Test
        void stayWhileOnlyTimePasses() {
            VirtualInstance a = started("a");
            VirtualInstance b = started("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            time.run(1_000);
            long ofA = a.report().revision();
            long ofB = b.report().revision();
            a.instance().watch(calls::incrementAndGet);
            time.run(60_000);

            assertThat(a.report().revision()).isEqualTo(ofA);
            assertThat(b.report().revision()).isEqualTo(ofB);
            assertThat(calls).hasValue(0);
        }

        @Test
        void changeWithWhateverIsShown() {
            VirtualInstance a = started("a");
            time.run(1_000);
            a.instance().watch(calls::incrementAndGet);

            differs(a, "a property", () -> offer(a, "color", "red"));
            differs(a, "another instance", () -> started("b"));
            differs(a, "a problem", () -> a.instance().addPropertyProvider(provider, "not legal"));
            differs(a, "a connection that is lost", () -> a.store().cut(20));
            differs(a, "a connection that is back", () -> a.store().restore());
            differs(a, "the history", () -> a.instance().readHistory());
        }

        @Test
        void changeWithAListenerThatGetsSlowAndReturns() {
            VirtualInstance a = started("a");
            time.run(1_450);
            differs(a, "a listener that is called", () -> {
                a.hang();
                a.instance().addListener(event -> {});
            });
            time.run(1_000);
            long before = a.report().revision();
            while (a.report().listeners().get(1).busyMillis() < Health.LISTENER_LIMIT_MILLIS + 20) {
                time.run(10);
            }
            assertThat(a.report().revision()).as("slow").isGreaterThan(before);
            differs(a, "a listener that returns", a::goOn);
        }

        @Test
        void stayInEachStateThatLasts() {
            VirtualInstance a = started("a");
            VirtualInstance twin = new VirtualInstance("a", ++pids, time, ensemble);
            twin.instance().start();
            assertThat(twin.await(State.REFUSED)).isTrue();
            time.run(20_000);
            stay("refused", a, twin);

            VirtualInstance b = started("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            b.store().cut(20);
            assertThat(b.await(State.CUT_OFF)).isTrue();
            time.run(20_000);
            stay("cut off", a, b);

            VirtualInstance c = started("c");
            c.hang();
            started("d");
            time.run(20_000);
            stay("a listener hangs", a, c);
        }

        private void stay(String why, VirtualInstance... instances) {
            List<Long> before = revisions(instances);
            time.run(60_000);
            assertThat(revisions(instances)).as(why).isEqualTo(before);
        }

        private static List<Long> revisions(VirtualInstance... instances) {
            return Stream.of(instances).map(each -> each.report().revision()).toList();
        }

        @Test
        void stayWhileAProviderHangs() {
            VirtualInstance a = started("a");
            List<TopologyReport> reports = new ArrayList<>();
            PropertyProvider hanging = name -> {
                time.run(10_000);
                reports.add(a.report());
                time.run(60_000);
                reports.add(a.report());
                return "at last";
            };
            a.instance().addPropertyProvider(hanging, "color");
            assertThat(time.runUntil(() -> reports.size() == 2, 1_000)).isTrue();

            assertThat(reports.get(0).problems()).singleElement().asString().contains("has not answered");
            assertThat(reports.get(1).revision()).isEqualTo(reports.get(0).revision());
            assertThat(reports.get(1).problems()).isEqualTo(reports.get(0).problems());
        }

        @Test
        void areNotifiedUntilTheWatchIsClosed() throws Exception {
            VirtualInstance a = started("a");
            time.run(1_000);
            List<Long> revisions = new ArrayList<>();
            Reporter.Watch watch =
                    a.instance().watch(() -> revisions.add(a.report().revision()));
            offer(a, "color", "red");
            assertThat(revisions).isNotEmpty().isSorted().doesNotHaveDuplicates();
            assertThat(a.report().revision()).isEqualTo(revisions.get(revisions.size() - 1));

            watch.close();
            watch.close();
            int told = revisions.size();
            offer(a, "color", "blue");
            assertThat(revisions).hasSize(told);
        }

        @Test
        void aCallbackThatThrowsAffectsNoOther() {
            VirtualInstance a = started("a");
            a.instance().watch(() -> {
                throw new AssertionError("thrown by a test");
            });
            a.instance().watch(calls::incrementAndGet);
            started("b");

            assertThat(a.awaitOrder("a", "b")).isTrue();
            assertThat(calls.get()).isPositive();
        }

        private void differs(VirtualInstance a, String why, Runnable change) {
            long before = a.report().revision();
            change.run();
            time.run(300);
            assertThat(a.report().revision()).as(why).isGreaterThan(before);
        }
    }

    @Nested
    class Histories {

        @Test
        void areReadWhenAskedForAndNotAgainBeforeTheNextView() {
            VirtualInstance a = started("a");
            VirtualInstance b = started("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            time.run(1_000);
            assertThat(a.report().history()).isEqualTo(History.UNREAD);
            assertThat(ensemble.readings()).isZero();

            read(a);
            read(a);
            assertThat(ensemble.readings()).isEqualTo(1);
            History history = a.report().history();
            assertThat(history.problems()).isEmpty();
            assertThat(history.entries()).hasSameSizeAs(ensemble.history());
            assertThat(history.entries().get(0).number())
                    .isEqualTo(a.report().view().orElseThrow().number());
            assertThat(history.entries().get(0).joined())
                    .extracting(History.Participant::id)
                    .containsExactly("b");
            assertThat(history.entries().get(0).publisher()).isEqualTo("a");

            b.leave();
            assertThat(a.awaitOrder("a")).isTrue();
            read(a);
            read(a);
            assertThat(ensemble.readings()).isEqualTo(2);
            History.Entry last = a.report().history().entries().get(0);
            assertThat(last.left()).singleElement().satisfies(left -> {
                assertThat(left.who().id()).isEqualTo("b");
                assertThat(left.kind()).contains("stopped");
                assertThat(left.words()).isEqualTo("b stopped");
            });
            assertThat(a.report().history().entries()).hasSameSizeAs(ensemble.history());
        }

        @Test
        void areSharedByConcurrentRequests() {
            VirtualInstance a = started("a");
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(a.instance().readHistory().toCompletableFuture());
            }
            time.run(1_000);

            assertThat(all).allMatch(CompletableFuture::isDone);
            assertThat(ensemble.readings()).isEqualTo(1);
        }

        @Test
        void areSaidToBeUnreadableWithoutAConnection() {
            VirtualInstance a = started("a");
            read(a);
            a.store().cut(20);
            time.run(200);
            read(a);
            assertThat(a.report().history().entries()).isNotEmpty();
            assertThat(a.report().history().problems())
                    .singleElement()
                    .asString()
                    .contains("no usable connection");

            a.store().restore();
            time.run(1_000);
            read(a);
            assertThat(a.report().history().problems()).isEmpty();
        }

        @Test
        void requestsCompleteThoughTheConnectionIsLostOrTheInstanceStopped() {
            VirtualInstance a = started("a");
            CompletableFuture<Void> lost = a.instance().readHistory().toCompletableFuture();
            a.store().cut(20);
            time.run(500);
            assertThat(lost).isCompleted();

            CompletableFuture<Void> stopped = a.instance().readHistory().toCompletableFuture();
            a.leave();
            time.run(10_000);
            assertThat(stopped).isCompleted();
            a.instance().readHistory();
            assertThat(a.instance().readHistory().toCompletableFuture()).isCompleted();
        }

        @Test
        void areReadAgainAWhileAfterSomethingCouldNotBeRead() {
            VirtualInstance a = started("a");
            long spoilt = ensemble.view().orElseThrow().number();
            ensemble.spoilHistory(spoilt);
            read(a);
            assertThat(a.report().history().problems())
                    .singleElement()
                    .asString()
                    .contains("" + spoilt);
            ensemble.mendHistory();
            read(a);
            assertThat(ensemble.readings()).as("not at each request").isEqualTo(1);

            time.run(10_000);
            read(a);
            assertThat(ensemble.readings()).isEqualTo(2);
            assertThat(a.report().history().problems()).isEmpty();
            assertThat(a.report().history().entries().get(0).number()).isEqualTo(spoilt);
        }

        @Test
        void tellOfManyProblemsInAFew() {
            VirtualInstance a = started("a");
            for (int i = 0; i < 6; i++) {
                VirtualInstance b = started("b");
                b.leave();
                assertThat(a.awaitOrder("a")).isTrue();
            }
            ensemble.history()
                    .forEach(entry -> ensemble.spoilHistory(entry.view().number()));
            read(a);
            int all = ensemble.history().size();
            assertThat(all).isGreaterThan(11);
            assertThat(a.report().history().problems())
                    .hasSize(11)
                    .last()
                    .asString()
                    .contains((all - 10) + " more");
        }

        @Test
        void forgetWhatTheStoreForgets() {
            VirtualInstance a = started("a");
            read(a);
            for (int i = 0; i < 15; i++) {
                VirtualInstance b = started("b");
                b.leave();
                assertThat(a.awaitOrder("a")).isTrue();
                read(a);
            }
            assertThat(a.report().history().entries())
                    .hasSize(20)
                    .extracting(History.Entry::number)
                    .isSortedAccordingTo((one, other) -> Long.compare(other, one));
        }

        private void read(VirtualInstance instance) {
            CompletableFuture<Void> done = instance.instance().readHistory().toCompletableFuture();
            assertThat(time.runUntil(done::isDone, 5_000)).isTrue();
            assertThat(done).isCompleted();
        }
    }

    @Nested
    class Trees {

        @Test
        void areReadOnceForConcurrentRequests() {
            VirtualInstance a = started("a");
            List<CompletableFuture<StoreTree>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(a.instance().readTree().toCompletableFuture());
            }
            time.run(1_000);

            assertThat(all).allSatisfy(each -> assertThat(each.join().nodes())
                    .anyMatch(node -> node.kind().equals("member")));
            assertThat(ensemble.readings()).isEqualTo(1);
            a.instance().readTree();
            time.run(1_000);
            assertThat(ensemble.readings()).isEqualTo(2);
        }

        @Test
        void areCompletedAndReadAgainWithoutAFreeThread() {
            VirtualInstance a = started("a");
            a.starve();
            CompletableFuture<StoreTree> tree = a.instance().readTree().toCompletableFuture();
            CompletableFuture<Void> history = a.instance().readHistory().toCompletableFuture();
            time.run(1_000);
            assertThat(tree).isCompleted();
            assertThat(history).isCompleted();

            CompletableFuture<StoreTree> next = a.instance().readTree().toCompletableFuture();
            time.run(1_000);
            assertThat(next).isCompleted();
            assertThat(ensemble.readings()).isEqualTo(3);
        }

        @Test
        void failWithAMessageWithoutAConnection() {
            VirtualInstance a = started("a");
            a.store().cut(20);
            time.run(200);
            CompletableFuture<StoreTree> tree = a.instance().readTree().toCompletableFuture();
            time.run(200);

            assertThatThrownBy(tree::get).cause().hasMessageContaining("not connected");
        }
    }
}
