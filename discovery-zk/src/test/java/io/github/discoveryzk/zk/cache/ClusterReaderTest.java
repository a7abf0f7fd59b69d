// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OddClient;
import io.github.discoveryzk.zk.testing.OddStore;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A view that an instance derives from a history entry is the one that it would read. */
class ClusterReaderTest extends OneServer {
    private static final String VIEW = CLUSTER + "/view";
    private static final String HISTORY = CLUSTER + "/history/";

    private OddStore store;
    private ZooKeeper foreign;

    /** Derives. */
    private Witness a;

    /** Publishes; derives too. */
    private Witness b;

    private Member own;
    private int nodes;

    @BeforeEach
    void connect() throws Exception {
        store = new OddStore(server.address());
        a = witness("a", store);
        a.awaitSnapshot(any -> true);
        b = witness("b");
        own = b.join();
        foreign = new OddClient(server.address());
        b.publishNext();
        assertAgreement();
        store.client().reads().clear();
    }

    @AfterEach
    void disconnect() throws Exception {
        foreign.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void derivedViewsAreThoseThatAFullReadGives(long seed) throws Exception {
        Random random = new Random(seed);
        int derivable = 0;
        for (int i = 0; i < 60; i++) {
            EstablishedView before = established();
            EstablishedView next = next(random, before);
            publish(next);
            assertAgreement();
            boolean follows = next.number() == before.number() + 1;
            derivable += follows ? 1 : 0;
        }
        assertThat(store.client().reads().stream().filter(VIEW::equals)).hasSize(60 - derivable);
        assertThat(derivable).isGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nextViewIsDerivedWhateverTheServerTells(boolean olderServer) throws Exception {
        store.client().hideTransactions(olderServer);
        EstablishedView next = following(established(), 1);
        publish(next);
        assertAgreement();
        assertThat(store.client().reads()).containsExactly(HISTORY + Names.entry(next.number()));
    }

    /** The compare-and-set of a publication rests on the version that was derived. */
    @Test
    void instanceThatDerivesCanPublish() throws Exception {
        for (int i = 0; i < 3; i++) {
            publish(following(established(), i));
        }
        assertAgreement();
        Member member = a.join();
        a.perform(a.publication(member.node()));
        assertAgreement();
    }

    @Test
    void entryThatIsGoneOrUnreadableOrFromElsewhereIsNoEntry() throws Exception {
        for (int what = 0; what < 4; what++) {
            store.client().delay(path -> path.startsWith(HISTORY));
            EstablishedView next = following(established(), 1);
            String entry = HISTORY + Names.entry(next.number());
            publish(next);
            awaitKept(1);
            byte[] data = server.data(entry);
            byte[] replacement =
                    switch (what) {
                        case 0 -> new byte[0];
                        case 1 -> "{".getBytes(StandardCharsets.UTF_8);
                        default -> data;
                    };
            foreign.delete(entry, -1);
            if (what < 3) {
                foreign.create(entry, replacement, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            store.client().reads().clear();
            store.client().release();
            assertAgreement();
            assertThat(store.client().reads()).containsExactly(entry, VIEW);
        }
    }

    @Test
    void publicationWhoseEventIsMissedIsFoundWithTheNext() throws Exception {
        store.client().swallow(event -> event.getType() == EventType.NodeDataChanged);
        publish(following(established(), 1));
        a.perform(new Request.Probe());
        store.client().swallow(event -> false);
        publish(following(established(), 1));
        assertAgreement();
    }

    /** What other clients do to the view. */
    @Nested
    class ForeignWrites {

        @Test
        void viewThatIsWrittenTogetherWithAnEntryThatDoesNotLeadToIt() throws Exception {
            EstablishedView view = following(established(), 1);
            EstablishedView other = following(established(), 2);
            byte[] entry = Codecs.write(entry(other, following(other, 1)), 1);
            byte[] wrong = new String(entry, StandardCharsets.UTF_8)
                    .replace("\"number\":" + (other.number() + 1), "\"number\":" + view.number())
                    .replace("\"previous\":" + other.number(), "\"previous\":" + view.previous())
                    .getBytes(StandardCharsets.UTF_8);
            foreign.multi(List.of(
                    Op.setData(VIEW, Codecs.write(view, 1), -1),
                    Op.create(
                            HISTORY + Names.entry(view.number()), wrong, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)));
            assertAgreement();
        }

        @Test
        void viewThatIsWrittenAgainAndReadButNotTakenInBeforeThePublication() throws Exception {
            store.client().delay(path -> path.contains("/members/"));
            b.update(Map.of("x", "y"));
            awaitKept(1);
            server.forgetAsked();
            overwrite(established());
            eventually(() -> server.asked(store.session()).getOrDefault("getData", 0L) == 2);
            publish(following(established(), 1));
            store.client().release();
            assertAgreement();
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4})
        void inAnyOrderWithPublicationsAndLateReads(long seed) throws Exception {
            Random random = new Random(seed);
            store.client().hideTransactions(seed % 2 == 0);
            List<EstablishedView> all = new ArrayList<>(List.of(established()));
            for (int i = 0; i < 60; i++) {
                EstablishedView now = established();
                switch (random.nextInt(8)) {
                    case 0 -> overwrite(all.get(random.nextInt(all.size())));
                    case 1 -> overwrite(new EstablishedView(
                            new ViewHead(
                                    now.number(), now.previous(), now.token(), 9_000, 0, Reason.ofText("foreign"), "x"),
                            newcomers(2).toList(),
                            Set.of()));
                    case 2 -> createEntry(now, following(now, random.nextInt(3)));
                    case 3 -> store.client().delay(path -> path.startsWith(HISTORY) || path.equals(VIEW));
                    case 4 -> store.client().release();
                    default -> {
                        b.perform(new Request.Probe());
                        b.ask(publication(next(random, now)));
                    }
                }
                all.add(established());
                if (random.nextInt(6) == 0) {
                    store.client().release();
                    assertAgreement();
                }
            }
            store.client().release();
            assertAgreement();
        }

        private void overwrite(EstablishedView view) throws Exception {
            foreign.setData(VIEW, Codecs.write(view, 1), -1);
        }

        private void createEntry(EstablishedView before, EstablishedView view) throws Exception {
            byte[] entry = Codecs.write(entry(before, view), 1);
            String path = HISTORY + Names.entry(view.number());
            try {
                foreign.create(path, entry, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (NodeExistsException e) {
                foreign.setData(path, entry, -1);
            }
        }
    }

    private void awaitKept(int count) {
        eventually(() -> store.client().kept() == count);
    }

    /** Both instances have what a full read of the store gives, as soon as a probe shows that they are up to date. */
    private void assertAgreement() throws Exception {
        for (Witness witness : List.of(a, b)) {
            witness.perform(new Request.Probe());
            assertThat(seen(witness)).isEqualTo(read());
        }
    }

    private static ViewSlot seen(Witness witness) {
        ViewSlot slot = witness.snapshot().slot();
        return new ViewSlot(slot.version(), slot.stamp(), 0, slot.view());
    }

    private ViewSlot read() throws Exception {
        Stat stat = new Stat();
        EstablishedView view = Codecs.CURRENT.readView(foreign.getData(VIEW, false, stat));
        return new ViewSlot(stat.getVersion(), stat.getMzxid(), 0, Optional.of(view));
    }

    private EstablishedView established() throws Exception {
        return read().view().orElseThrow();
    }

    private void publish(EstablishedView view) throws Exception {
        b.perform(new Request.Probe());
        b.perform(publication(view));
    }

    private Request.Publish publication(EstablishedView view) {
        ViewSlot slot = b.snapshot().slot();
        return new Request.Publish(
                view, slot.version(), own.node(), entry(slot.view().orElseThrow(), view), Set.of());
    }

    private static HistoryEntry entry(EstablishedView before, EstablishedView view) {
        return new HistoryEntry(ViewDifference.between(Optional.of(before), view), List.of(), view.number(), 7);
    }

    private EstablishedView following(EstablishedView before, int newcomers) {
        return view(
                before,
                before.number() + 1,
                Stream.concat(before.members().stream(), newcomers(newcomers)).toList(),
                before.excluded());
    }

    /** The next view after joins and leaves of single members or of many, with excluded members, and sometimes after a gap. */
    private EstablishedView next(Random random, EstablishedView before) {
        List<Incarnation> members = new ArrayList<>(before.members());
        int leaving = random.nextInt(4) == 0 ? random.nextInt(members.size() + 1) : random.nextInt(2);
        for (int i = 0; i < leaving && !members.isEmpty(); i++) {
            members.remove(random.nextInt(members.size()));
        }
        newcomers(random.nextInt(5) == 0 || members.isEmpty() ? random.nextInt(1, 60) : random.nextInt(2))
                .forEach(members::add);
        Set<String> excluded = random.nextInt(5) == 0 ? Set.of("m-" + random.nextInt(), "m-out") : Set.of();
        return view(before, before.number() + (random.nextInt(10) == 0 ? 3 : 1), members, excluded);
    }

    private static EstablishedView view(
            EstablishedView before, long number, List<Incarnation> members, Set<String> excluded) {
        boolean sameLeader = members.get(0).equals(before.leader()) && number == before.number() + 1;
        return new EstablishedView(
                new ViewHead(
                        number,
                        before.number(),
                        sameLeader ? before.token() : number,
                        9_000 + members.size(),
                        sameLeader ? before.head().leaderSinceMillis() : number * 7,
                        Reason.ofText("cause \u00e4 " + number),
                        "b"),
                members,
                excluded);
    }

    private Stream<Incarnation> newcomers(int many) {
        return Stream.generate(() -> new Incarnation("m-" + nodes, "id-" + nodes++))
                .limit(many);
    }
}
