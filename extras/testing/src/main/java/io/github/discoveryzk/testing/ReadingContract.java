// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static io.github.discoveryzk.testing.Samples.publication;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The contract of readings for display: the history, the acknowledgements and the tree. */
interface ReadingContract extends StoreContract {

    @Test
    default void historyIsReadAsItWasPublished() {
        Witness a = joined("a");
        List<Request.Publish> published = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Request.Publish next = publication(a.member, a.snapshot().slot());
            a.ask(next, Status.DONE);
            a.awaitView(next.next());
            published.add(next);
        }
        List<Long> numbers =
                published.stream().map(each -> each.next().number()).toList();

        HistoryReading all = read(a.store().inspector().readHistory(Set.of()));
        assertThat(all.entries())
                .containsExactlyInAnyOrderElementsOf(
                        published.stream().map(Request.Publish::entry).toList());
        assertThat(all.numbers()).containsExactlyInAnyOrderElementsOf(numbers);
        assertThat(all.problems()).isEmpty();

        HistoryReading unknown = read(a.store().inspector().readHistory(Set.copyOf(numbers.subList(0, 2))));
        assertThat(unknown.entries()).containsExactly(published.get(2).entry());
        assertThat(unknown.numbers()).containsExactlyInAnyOrderElementsOf(numbers);
    }

    @Test
    default void emptyHistoryIsReadToo() {
        HistoryReading none = read(open("a").store().inspector().readHistory(Set.of(7L)));

        assertThat(none).isEqualTo(new HistoryReading(Set.of(), List.of(), List.of()));
    }

    @Test
    default void historyEntryThatCannotBeReadIsNamedAndHidesNoOthers() {
        Witness a = joined("a");
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            numbers.add(a.publishNext().number());
        }
        Optional<String> spoilt = spoilHistory(numbers.get(1));
        assumeTrue(spoilt.isPresent(), "this back end cannot spoil a history entry");

        HistoryReading read = read(a.store().inspector().readHistory(Set.of()));
        assertThat(read.problems()).singleElement().asString().contains(spoilt.get());
        assertThat(read.entries())
                .extracting(entry -> entry.number())
                .containsExactlyInAnyOrder(numbers.get(0), numbers.get(2));
        assertThat(read.numbers()).containsAll(numbers);
    }

    @Test
    default void aWholeHistoryIsRead() {
        assumeTrue(historySize().isPresent(), "this back end cannot count history entries");
        Witness a = joined("a");
        EstablishedView last = null;
        for (int i = 0; i < 60; i++) {
            last = a.publishNext();
        }
        HistoryReading read = read(a.store().inspector().readHistory(Set.of()));

        assertThat(read.entries())
                .hasSize(historySize().getAsInt())
                .extracting(HistoryEntry::number)
                .contains(last.number());
    }

    @Test
    default void acknowledgementsAreReadWithoutBeingCollected() {
        Witness a = joined("a");
        Witness b = joined("b");
        assertThat(read(a.store().inspector().readAcknowledgements())).isEmpty();

        Acknowledgement ofA = a.acknowledge(7);
        Acknowledgement ofB = b.acknowledge(8);
        a.perform(new Request.Probe());
        assertThat(read(a.store().inspector().readAcknowledgements())).containsExactlyInAnyOrder(ofA, ofB);
        assertThat(a.snapshot().acknowledgements()).isEmpty();

        Acknowledgement later = b.acknowledge(9);
        a.perform(new Request.Probe());
        assertThat(read(a.store().inspector().readAcknowledgements())).containsExactlyInAnyOrder(ofA, later);
    }

    @Test
    default void withoutAConnectionNothingIsRead() {
        Witness a = open("a");
        interrupt(a);
        assertUnread(a.store().inspector().readHistory(Set.of()));
        assertUnread(a.store().inspector().readAcknowledgements());
        assertUnread(a.store().inspector().readTree());

        restore(a);
        assertThat(read(a.store().inspector().readHistory(Set.of())).entries()).isEmpty();
        a.close();
        assertUnread(a.store().inspector().readHistory(Set.of()));
        assertUnread(a.store().inspector().readAcknowledgements());
        assertUnread(a.store().inspector().readTree());
    }

    @Test
    default void eachReadingEndsThoughTheStoreIsClosed() {
        Witness a = joined("a");
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < REPEATED; i++) {
            all.add(a.store().inspector().readHistory(Set.of()).toCompletableFuture());
            all.add(a.store().inspector().readAcknowledgements().toCompletableFuture());
            all.add(a.store().inspector().readTree().toCompletableFuture());
        }
        a.close();

        await(() -> all.stream().allMatch(CompletableFuture::isDone));
    }

    @Test
    default void treeShowsWhatIsThereWithoutSecrets() {
        Witness a = open("a");
        a.ask(new Request.Announce(a.record(Map.of("db.password", "open sesame", "color", "red"))), Status.DONE);
        a.awaitSnapshot(seen -> !seen.members().isEmpty());
        a.member = a.snapshot().members().get(0);
        EstablishedView view = a.publishNext();
        StoreTree all = read(a.store().inspector().readTree());
        StoreTree tree = new StoreTree(
                0,
                all.nodes().stream()
                        .filter(node -> node.path().contains(clusterPath()))
                        .toList(),
                all.complete());

        assertThat(tree.complete()).isTrue();
        assertThat(tree.nodes()).extracting(StoreTree.Node::problem).containsOnly(Optional.empty());
        StoreTree.Node member = only(tree, "member");
        assertThat(member.path()).endsWith(a.member.node());
        assertThat(member.owner()).contains("0x" + Long.toHexString(a.session()));
        assertThat(member.record())
                .contains(
                        new StoreTree.Field("instanceId", "a"),
                        new StoreTree.Field("properties.color", "red"),
                        new StoreTree.Field("properties.db.password", Secrets.MASK));
        assertThat(only(tree, "view").owner()).isEmpty();
        assertThat(only(tree, "view").record()).contains(new StoreTree.Field("number", "" + view.number()));
        assertThat(only(tree, "history entry").path()).contains("" + view.number());
        assertThat(tree.toString()).doesNotContain("open sesame");
    }

    private static StoreTree.Node only(StoreTree tree, String kind) {
        List<StoreTree.Node> all =
                tree.nodes().stream().filter(node -> node.kind().equals(kind)).toList();
        assertThat(all).as("%s in %s", kind, tree).hasSize(1);
        return all.get(0);
    }

    private <T> T read(CompletionStage<T> reading) {
        CompletableFuture<T> future = reading.toCompletableFuture();
        await(future::isDone);
        return future.join();
    }

    private void assertUnread(CompletionStage<?> reading) {
        CompletableFuture<?> future = reading.toCompletableFuture();
        await(future::isDone);
        assertThatThrownBy(future::get).cause().hasMessageContaining("connect");
    }
}
