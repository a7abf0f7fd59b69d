// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.StoreTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Histories and trees are read from the store when they are asked for. */
class StoreReadingsTest extends ReportingFixture {

    @Nested
    class Histories {

        @Test
        void areReadWhenAskedForAndNotAgainBeforeTheNextView() {
            VirtualInstance a = settled("a");
            VirtualInstance b = settled("b");
            assertThat(a.awaitOrder("a", "b")).isTrue();
            time.run(1_000);
            assertThat(a.report().history()).isEqualTo(History.UNREAD);
            assertThat(ensemble.readings().count()).isZero();

            read(a);
            read(a);
            assertThat(ensemble.readings().count()).isEqualTo(1);
            History history = a.report().history();
            assertThat(history.problems()).isEmpty();
            assertThat(history.entries()).hasSameSizeAs(ensemble.history());
            assertThat(history.entries().get(0).number())
                    .isEqualTo(a.report().view().orElseThrow().number());
            assertThat(history.entries().get(0).stored().difference().joined())
                    .extracting(Incarnation::instanceId)
                    .containsExactly("b");
            assertThat(history.entries().get(0).head().publisher()).isEqualTo("a");

            b.leave();
            assertThat(a.awaitOrder("a")).isTrue();
            read(a);
            read(a);
            assertThat(ensemble.readings().count()).isEqualTo(2);
            History.Entry last = a.report().history().entries().get(0);
            assertThat(last.stored().left()).singleElement().satisfies(left -> assertThat(
                            a.words(List.of(Reason.of(left))))
                    .isEqualTo("b stopped"));
            assertThat(a.report().history().entries()).hasSameSizeAs(ensemble.history());
        }

        @Test
        void areSharedByConcurrentRequests() {
            VirtualInstance a = settled("a");
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(a.instance().reporter().readHistory().toCompletableFuture());
            }
            time.run(1_000);

            assertThat(all).allMatch(CompletableFuture::isDone);
            assertThat(ensemble.readings().count()).isEqualTo(1);
        }

        @Test
        void areSaidToBeUnreadableWithoutAConnection() {
            VirtualInstance a = settled("a");
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
            VirtualInstance a = settled("a");
            CompletableFuture<Void> lost = a.instance().reporter().readHistory().toCompletableFuture();
            a.store().cut(20);
            time.run(500);
            assertThat(lost).isCompleted();

            CompletableFuture<Void> stopped =
                    a.instance().reporter().readHistory().toCompletableFuture();
            a.leave();
            time.run(10_000);
            assertThat(stopped).isCompleted();
            read(a);
        }

        @Test
        void areReadAgainAWhileAfterSomethingCouldNotBeRead() {
            VirtualInstance a = settled("a");
            long spoilt = ensemble.view().orElseThrow().number();
            ensemble.readings().spoilHistory(spoilt);
            read(a);
            assertThat(a.report().history().problems())
                    .singleElement()
                    .asString()
                    .contains("" + spoilt);
            ensemble.readings().mendHistory();
            read(a);
            assertThat(ensemble.readings().count()).as("not at each request").isEqualTo(1);

            time.run(10_000);
            read(a);
            assertThat(ensemble.readings().count()).isEqualTo(2);
            assertThat(a.report().history().problems()).isEmpty();
            assertThat(a.report().history().entries().get(0).number()).isEqualTo(spoilt);
        }

        @Test
        void tellOfManyProblemsInAFew() {
            VirtualInstance a = settled("a");
            for (int i = 0; i < 6; i++) {
                VirtualInstance b = settled("b");
                b.leave();
                assertThat(a.awaitOrder("a")).isTrue();
            }
            ensemble.history().forEach(entry -> ensemble.readings().spoilHistory(entry.number()));
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
        void tellTheMembersOfEachViewWhetherTheyAreReadImmediatelyOrOneByOne() {
            Map<Long, EstablishedView> published = new HashMap<>();
            ensemble.onPublication(view -> published.put(view.number(), view));
            VirtualInstance a = settled("a");
            read(a);
            VirtualInstance b = settled("b");
            VirtualInstance c = settled("c");
            for (int i = 0; i < 15; i++) {
                (i % 2 == 0 ? b : c).leave();
                assertThat(a.awaitOrder("a", i % 2 == 0 ? "c" : "b")).isTrue();
                b = i % 2 == 0 ? settled("b") : b;
                c = i % 2 == 0 ? c : settled("c");
                if (i % 3 == 0) {
                    read(a);
                }
            }
            read(a);
            read(b);
            assertThat(a.report().history().entries()).hasSize(20).allSatisfy(entry -> {
                List<Incarnation> members = published.get(entry.number()).members();
                assertThat(entry.members()).isEqualTo(members);
                assertThat(entry.stored().difference().size()).isEqualTo(members.size());
                assertThat(entry.leader()).isEqualTo(members.get(0).instanceId());
            });
            assertThat(b.report().history()).isEqualTo(a.report().history());
        }

        @Test
        void tellLeaderAndSizeOfViewsWhoseMembersAreUnknown() {
            VirtualInstance a = settled("a");
            VirtualInstance b = settled("b");
            for (int i = 0; i < 12; i++) {
                b.leave();
                assertThat(a.awaitOrder("a")).isTrue();
                b = settled("b");
            }
            long unreadable = ensemble.history().get(10).number();
            ensemble.readings().spoilHistory(unreadable);
            read(a);
            assertThat(a.report().history().entries()).hasSize(19).allSatisfy(entry -> {
                assertThat(entry.members())
                        .hasSize(
                                entry.number() > unreadable
                                        ? entry.stored().difference().size()
                                        : 0);
                assertThat(entry.stored().difference().size()).isBetween(1, 2);
                assertThat(entry.leader()).isEqualTo("a");
            });

            ensemble.readings().mendHistory();
            time.run(10_000);
            read(a);
            assertThat(a.report().history().entries()).hasSize(20).allSatisfy(entry -> assertThat(entry.members())
                    .hasSize(entry.stored().difference().size()));
        }

        private void read(VirtualInstance instance) {
            CompletableFuture<Void> done =
                    instance.instance().reporter().readHistory().toCompletableFuture();
            assertThat(time.runUntil(done::isDone, 5_000)).isTrue();
            assertThat(done).isCompleted();
        }
    }

    @Nested
    class Trees {

        @Test
        void areReadOnceForConcurrentRequests() {
            VirtualInstance a = settled("a");
            List<CompletableFuture<StoreTree>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(a.instance().reporter().readTree().toCompletableFuture());
            }
            time.run(1_000);

            assertThat(all).allSatisfy(each -> assertThat(each.join().nodes())
                    .anyMatch(node -> node.kind().equals("member")));
            assertThat(ensemble.readings().count()).isEqualTo(1);
            a.instance().reporter().readTree();
            time.run(1_000);
            assertThat(ensemble.readings().count()).isEqualTo(2);
        }

        @Test
        void areCompletedAndReadAgainWithoutAFreeThread() {
            VirtualInstance a = settled("a");
            a.starve();
            CompletableFuture<StoreTree> tree =
                    a.instance().reporter().readTree().toCompletableFuture();
            CompletableFuture<Void> history =
                    a.instance().reporter().readHistory().toCompletableFuture();
            time.run(1_000);
            assertThat(tree).isCompleted();
            assertThat(history).isCompleted();

            CompletableFuture<StoreTree> next =
                    a.instance().reporter().readTree().toCompletableFuture();
            time.run(1_000);
            assertThat(next).isCompleted();
            assertThat(ensemble.readings().count()).isEqualTo(3);
        }

        @Test
        void failWithAMessageWithoutAConnection() {
            VirtualInstance a = settled("a");
            a.store().cut(20);
            time.run(200);
            CompletableFuture<StoreTree> tree =
                    a.instance().reporter().readTree().toCompletableFuture();
            time.run(200);

            assertThatThrownBy(tree::get).cause().hasMessageContaining("not connected");
        }
    }
}
