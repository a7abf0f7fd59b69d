// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static io.github.discoveryzk.testing.DataWitness.NONE;
import static io.github.discoveryzk.testing.DataWitness.assertResult;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.spi.DataStore.Result;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.spi.Outcome.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of the data that applications share. */
interface DataContract extends StoreContract {

    private DataWitness value(Witness member) {
        return new DataWitness(member, new DataAddress("app", "x", false), DataStore.VALUE, this::await);
    }

    private DataWitness entry(Witness member) {
        return new DataWitness(member, new DataAddress("app", "x", true), "key", this::await);
    }

    @Test
    default void aWriteTakesEffectOnlyIfItReplacesWhatWasSeen() {
        Witness a = joined("a");
        Witness b = joined("b");
        assertThat(a.store().data().isSupported()).isTrue();
        assertReplacesWhatWasSeen(value(a), value(b).follow(), DataStore.VALUE);
        assertReplacesWhatWasSeen(entry(a), entry(b).follow(), "key");
    }

    private static void assertReplacesWhatWasSeen(DataWitness a, DataWitness b, String key) {
        b.awaitContent(Map.of());
        assertThat(a.read()).isEmpty();
        OptionalLong first = a.put(NONE, "1");
        b.awaitContent(Map.of(key, "1"));
        assertResult(b.write(NONE, b.persistent("2")), Status.OVERTAKEN, "1");
        OptionalLong second = b.put(first, "2");
        assertThat(second.getAsLong()).isGreaterThan(first.getAsLong());
        assertResult(a.write(first, a.persistent("3")), Status.OVERTAKEN, "2");
        assertResult(a.remove(first), Status.OVERTAKEN, "2");
        assertThat(a.readValue()).hasValue("2");
        assertResult(a.remove(second), Status.DONE, null);
        b.awaitContent(Map.of());
        assertResult(b.write(second, b.persistent("3")), Status.OVERTAKEN, null);
        assertResult(b.remove(second), Status.OVERTAKEN, null);
        assertThat(b.read()).isEmpty();
        OptionalLong third = b.put(NONE, "3");
        assertThat(third.getAsLong()).isGreaterThan(second.getAsLong());
        assertThat(a.read()).hasValueSatisfying(read -> {
            assertThat(read.version()).isEqualTo(third.getAsLong());
            assertThat(read.record().get()).isEqualTo(b.persistent("3"));
        });
    }

    /** The data version of a node that was created again is that of before. */
    @Test
    default void whatWasRemovedAndCreatedAgainIsNotWhatWasSeen() {
        Witness a = joined("a");
        Witness b = joined("b");
        for (DataWitness atA : List.of(value(a), entry(a))) {
            DataWitness atB = atA.of(b).follow();
            for (int i = 0; i < REPEATED; i++) {
                OptionalLong seen = atA.put(NONE, "seen");
                await(() -> DataWitness.values(atB.content()).containsValue("seen"));
                CompletableFuture<Result> removed = atA.send(seen, Optional.empty(), NONE);
                CompletableFuture<Result> again = atA.send(NONE, Optional.of(atA.persistent("again")), NONE);
                Result late = atB.await(atB.send(seen, Optional.of(atB.persistent("late")), NONE));
                boolean isDone = atA.await(removed).outcome().status() == Status.DONE;
                atA.await(again);
                assertThat(late.outcome().status()).isEqualTo(isDone ? Status.OVERTAKEN : Status.DONE);
                Stored last = atA.read().orElseThrow();
                assertThat(last.record().get().value()).isEqualTo(isDone ? "again" : "late");
                atA.remove(OptionalLong.of(last.version()));
            }
        }
    }

    @Test
    default void noWriteOfManyIsLost() {
        List<DataWitness> all =
                Stream.of("a", "b", "c").map(id -> entry(joined(id))).toList();
        all.get(0).put(NONE, "0");
        for (int i = 0; i < REPEATED; i++) {
            Stored before = all.get(0).read().orElseThrow();
            List<CompletableFuture<Result>> sent = all.stream()
                    .map(each -> each.send(
                            OptionalLong.of(before.version()),
                            Optional.of(each.persistent("" + all.indexOf(each))),
                            NONE))
                    .toList();
            List<Status> results = IntStream.range(0, 3)
                    .mapToObj(one -> all.get(one).await(sent.get(one)).outcome().status())
                    .toList();
            assertThat(results).containsExactlyInAnyOrder(Status.DONE, Status.OVERTAKEN, Status.OVERTAKEN);
            Object winner = "" + results.indexOf(Status.DONE);
            assertThat(all.get(0).readValue()).hasValue(winner);
        }
    }

    /** The removal of another entry is no reason to refuse a write. */
    @Test
    default void entriesOfAMapDoNotDisturbEachOther() {
        DataWitness a = entry(joined("a"));
        DataWitness b = entry(joined("b")).at("other").follow();
        OptionalLong seen = a.put(NONE, "1");
        for (int i = 0; i < REPEATED; i++) {
            OptionalLong other = b.put(NONE, "2");
            CompletableFuture<Result> removed = b.send(other, Optional.empty(), NONE);
            seen = a.put(seen, "1");
            assertResult(b.await(removed), Status.DONE, null);
        }
        b.awaitContent(Map.of("key", "1"));
    }

    @Test
    default void aProvenWriteIsRejectedOnceItsProofIsReplaced() {
        Witness a = joined("a");
        DataWitness proof = value(a);
        DataWitness atA = entry(a);
        DataWitness proofAtB = value(joined("b"));
        OptionalLong version = proof.put(NONE, "a");
        OptionalLong first = OptionalLong.of(
                atA.prove(proof, version, NONE, "1").now().orElseThrow().version());
        proof.follow().awaitContent(Map.of(DataStore.VALUE, "a"));
        assertResult(atA.prove(proof, version, first, "2"), Status.DONE, "2");
        OptionalLong seen = OptionalLong.of(atA.read().orElseThrow().version());
        OptionalLong next = proofAtB.put(version, "b");
        assertResult(atA.prove(proof, version, seen, "3"), Status.REJECTED, null);
        assertResult(atA.prove(proof, next, seen, "3"), Status.DONE, "3");
        seen = OptionalLong.of(atA.read().orElseThrow().version());
        assertResult(proofAtB.remove(next), Status.DONE, null);
        assertResult(atA.prove(proof, next, seen, "4"), Status.REJECTED, null);
        assertThat(atA.readValue()).hasValue("3");
    }

    @Test
    default void aFencedWriteIsRejectedOnceTheNextViewExists() {
        Witness a = joined("a");
        Witness b = joined("b");
        DataWitness atA = value(a);
        assertResult(atA.lead(1, NONE, "0"), Status.REJECTED, null);
        long led = a.publishNext().number();
        OptionalLong first =
                OptionalLong.of(atA.lead(led, NONE, "1").now().orElseThrow().version());
        assertResult(atA.lead(led + 1, first, "2"), Status.REJECTED, null);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.perform(b.publication(b.member.node()));
        Result late = atA.lead(led, first, "2");
        assertResult(late, Status.REJECTED, null);
        assertThat(late.outcome().detail()).endsWith(".");
        assertThat(atA.readValue()).hasValue("1");

        long next = a.awaitSnapshot(seen -> seen.view().stream().anyMatch(view -> view.number() > led))
                .view()
                .map(EstablishedView::number)
                .orElseThrow();
        assertResult(value(b).lead(next, first, "2"), Status.DONE, "2");
        assertThat(atA.readValue()).hasValue("2");
    }

    /** The publication and the write of the earlier leader are on their way at the same time. */
    @Test
    default void whatTheNextLeaderReadsIsNotOverwrittenByTheEarlierOne() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.publishNext();
        OptionalLong seen = value(a).put(NONE, "0");
        for (int i = 0; i < REPEATED; i++) {
            long led = a.snapshot().view().orElseThrow().number();
            b.awaitSnapshot(snapshot -> snapshot.view().stream().anyMatch(view -> view.number() == led));
            b.send(b.publication(a.member.node(), b.member.node()));
            CompletableFuture<Result> racing =
                    value(a).send(seen, Optional.of(value(a).persistent("" + i)), OptionalLong.of(led));
            await(b::isCompleted);
            Stored heir = value(b).read().orElseThrow();
            Status status = value(a).await(racing).outcome().status();
            assertThat(status).isIn(Status.DONE, Status.REJECTED);
            Stored last = value(b).read().orElseThrow();
            assertThat(last.version()).isEqualTo(heir.version());
            assertThat(last.version() != seen.getAsLong()).isEqualTo(status == Status.DONE);
            seen = OptionalLong.of(last.version());
            a.awaitSnapshot(snapshot -> snapshot.view().stream().anyMatch(view -> view.number() > led));
        }
    }

    @Test
    default void anInstanceThatIsNoMemberWritesNothing() {
        Witness a = joined("a");
        DataWitness atA = entry(a);
        OptionalLong seen = atA.put(NONE, "1");
        a.leave(LeaveRecord.Kind.STOPPED);
        for (Result result : List.of(
                atA.write(seen, atA.persistent("2")),
                atA.remove(seen),
                atA.at("new").write(NONE, atA.owned("3")))) {
            assertResult(result, Status.REJECTED, null);
            assertThat(result.outcome().detail()).endsWith(".");
        }
        assertThat(atA.readValue()).hasValue("1");
        a.join();
        atA.put(seen, "2");
    }

    @Test
    default void anOwnedEntryEndsWithItsSession() {
        Witness a = joined("a");
        DataWitness atA = entry(a);
        DataWitness atB = entry(joined("b")).follow();
        atA.put(NONE, atA.owned("1"));
        OptionalLong kept = atA.at("kept").put(NONE, atA.owned("2"));
        atA.at("kept").put(kept, "2");
        OptionalLong owned = atA.at("persistent").put(NONE, "3");
        owned = atA.at("persistent").put(owned, atA.owned("4"));
        atA.at("persistent").put(owned, atA.owned("5"));
        atB.awaitContent(Map.of("key", "1", "kept", "2", "persistent", "5"));
        assertThat(atB.read().orElseThrow().record().get()).isEqualTo(atA.owned("1"));
        expire(a.store());
        atB.awaitContent(Map.of("kept", "2"));
        assertThat(atB.read()).isEmpty();
        atB.put(NONE, atB.owned("mine"));
    }

    @Test
    default void anOwnedEntryCanBeReplacedOnlyOnceItsOwnerIsNoMember() {
        Witness a = joined("a");
        DataWitness atA = entry(a);
        DataWitness atB = entry(joined("b")).follow();
        OptionalLong other = atA.at("other").put(NONE, atA.owned("1"));
        atA.put(NONE, atA.owned("1"));
        atB.awaitContent(Map.of("key", "1", "other", "1"));
        assertResult(atB.write(NONE, atB.owned("2")), Status.OVERTAKEN, "1");
        a.leave(LeaveRecord.Kind.EVICTED);
        atB.put(NONE, atB.owned("2"));
        atB.at("other").put(other, "2");
        assertResult(atB.write(NONE, atB.owned("3")), Status.OVERTAKEN, "2");
        expire(a.store());
        await(() -> a.calls(RecordingObserver.Expired.class).size() == 1);
        atB.awaitContent(Map.of("key", "2", "other", "2"));
        assertThat(atB.readValue()).hasValue("2");
    }

    @Test
    default void aWriteWithoutAReplyIsUnknown() {
        Witness a = joined("a");
        Witness b = joined("b");
        OptionalLong seen = value(a).put(NONE, "0");
        for (int i = 1; i <= 3; i++) {
            String next = "" + i;
            CompletableFuture<Result> written = value(a).send(seen, Optional.of(value(a).persistent(next)), NONE);
            interrupt(a);
            CompletableFuture<Result> behind = value(a).send(NONE, Optional.of(value(a).persistent("behind")), NONE);
            Status status = value(a).await(written).outcome().status();
            assertResult(value(a).await(behind), Status.UNKNOWN, null);
            assertThat(value(a).readWithoutConnection()).hasMessageMatching("(?s).+");
            assertThat(status).isIn(Status.UNKNOWN, Status.DONE);
            restore(a);
            Stored now = value(a).read().orElseThrow();
            if (status == Status.DONE) {
                assertThat(now.record().get().value()).isEqualTo(next);
            }
            assertThat(now.record().get().value()).isIn(next, "" + (i - 1));
            seen = OptionalLong.of(now.version());
            if (!now.record().get().value().equals(next)) {
                seen = value(b).put(seen, next);
            }
        }
    }

    @Test
    default void contentsAfterAReplyAreAtLeastAsNew() {
        DataWitness a = value(joined("a")).follow();
        DataWitness b = value(joined("b")).follow();
        OptionalLong seen = a.put(NONE, "0");
        for (int i = 0; i < REPEATED; i++) {
            seen = b.put(a.put(seen, "of a"), "of b");
        }
        a.awaitContent(Map.of(DataStore.VALUE, "of b"));
        for (DataWitness each : List.of(a, b)) {
            long reached = 0;
            for (Object one : each.received) {
                long version = one instanceof Content content
                        ? Optional.ofNullable(content.entries().get(DataStore.VALUE))
                                .map(Stored::version)
                                .orElse(0L)
                        : (Long) one;
                assertThat(version).as("in %s", each.received).isGreaterThanOrEqualTo(reached);
                reached = version;
            }
        }
    }

    @Test
    default void contentsAreOldWithoutAConnectionAndNewAfterwards() {
        Witness a = joined("a");
        Witness b = joined("b");
        DataWitness atB = entry(b).follow();
        OptionalLong seen = entry(a).put(NONE, "1");
        atB.awaitContent(Map.of("key", "1"));
        interrupt(b);
        await(() -> !atB.content().known());
        assertThat(DataWitness.values(atB.content())).isEqualTo(Map.of("key", "1"));
        entry(a).put(seen, "2");
        entry(a).at("new").put(NONE, "3");
        restore(b);
        atB.awaitContent(Map.of("key", "2", "new", "3"));
    }

    @Test
    default void eachAddressIsFollowedFromThenOnAndByItself() {
        Witness a = joined("a");
        Witness b = peer("b");
        List<DataAddress> all = List.of(
                new DataAddress("app", "x", false),
                new DataAddress("app", "x", true),
                new DataAddress("app", "y", true),
                new DataAddress("app2", "x", true));
        List<DataWitness> before =
                all.stream().map(each -> at(b, each).follow()).toList();
        b.open();
        for (DataAddress each : all) {
            at(a, each).put(NONE, each.toString());
        }
        Witness c = open("c");
        for (int i = 0; i < all.size(); i++) {
            String key = all.get(i).map() ? "key" : DataStore.VALUE;
            before.get(i).awaitContent(Map.of(key, all.get(i).toString()));
            at(c, all.get(i)).follow().awaitContent(Map.of(key, all.get(i).toString()));
        }
    }

    private DataWitness at(Witness member, DataAddress address) {
        return new DataWitness(member, address, address.map() ? "key" : DataStore.VALUE, this::await);
    }

    @Test
    default void namesMayHaveAnyCharacters() {
        Witness a = joined("a");
        Witness b = joined("b");
        List<String> names = List.of(
                ".",
                "..",
                "/",
                "a/b",
                "%2F",
                "%",
                "v.x",
                "m.x",
                " ",
                "x y",
                "äöü \uD83D\uDE42",
                "{\"x\"}",
                "\\",
                "x".repeat(100),
                "/".repeat(100),
                "zookeeper");
        DataWitness keys = at(b, new DataAddress("keys", "x", true)).follow();
        for (String name : names) {
            DataWitness atA = at(a, new DataAddress(name, name, false));
            atA.put(NONE, name);
            assertThat(at(b, new DataAddress(name, name, false)).readValue()).hasValue(name);
            at(a, new DataAddress("keys", "x", true)).at(name).put(NONE, name);
        }
        keys.awaitContent(names.stream().collect(Collectors.toMap(each -> each, each -> each)));
    }

    @Test
    default void valuesOfEachKindAndOf64KilobytesAreWritten() {
        Witness a = joined("a");
        DataWitness atB = value(joined("b")).follow();
        String large = new Random(1)
                .ints(64 * 1024, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        OptionalLong seen = NONE;
        for (Object each : List.of(
                "",
                "\"\n\u0000",
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                true,
                List.of(),
                List.of(1L, 2L),
                Map.of(),
                Map.of("x", List.of(Map.of("y", false)), "", List.of()),
                "x".repeat(64 * 1024),
                large)) {
            DataRecord record = new DataRecord("kind of it", each, "a", OptionalLong.of(7), Optional.empty());
            seen = value(a).put(seen, record);
            atB.awaitContent(Map.of(DataStore.VALUE, each));
            assertThat(atB.read().orElseThrow().record().get()).isEqualTo(record);
        }
    }

    @Test
    default void dataCanBeWrittenAgainAfterTheTreeWasDeleted() {
        Witness a = joined("a");
        DataWitness atA = entry(a).follow();
        DataWitness atB = value(open("b")).follow();
        OptionalLong seen = value(a).put(NONE, "1");
        atA.put(NONE, atA.owned("1"));
        atA.awaitContent(Map.of("key", "1"));
        atB.awaitContent(Map.of(DataStore.VALUE, "1"));
        if (deleteEverything()) {
            a.awaitMembers(0);
            a.join();
            atA.awaitContent(Map.of());
            atB.awaitContent(Map.of());
            assertResult(value(a).write(seen, atA.persistent("2")), Status.OVERTAKEN, null);
            value(a).put(NONE, "3");
            atA.put(NONE, atA.owned("3"));
            atA.awaitContent(Map.of("key", "3"));
            atB.awaitContent(Map.of(DataStore.VALUE, "3"));
        }
    }
}
