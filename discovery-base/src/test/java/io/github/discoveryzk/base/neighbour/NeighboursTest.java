// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.testing.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Who watches whom, by which threads and connections. */
@Timeout(120)
@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ_WRITE)
class NeighboursTest {

    private static final int MANY = Effort.isThorough() ? 1_000 : 200;

    private final List<Watcher> all = new ArrayList<>();

    @AfterEach
    void close() {
        all.forEach(Watcher::close);
        Watcher.await().until(() -> threads().isEmpty());
    }

    private Watcher watcher(String id) {
        Watcher watcher = new Watcher(id);
        all.add(watcher);
        return watcher;
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("discovery-neighbours"))
                .toList();
    }

    private static List<String> watched(Watcher watcher) {
        return watcher.neighbours.watches.stream()
                .map(each -> each.member.instanceId())
                .toList();
    }

    @Test
    void eachMemberWatchesTheNextThreeThatListen() {
        List<Watcher> watchers =
                Stream.of("a", "b", "c", "d", "e", "f").map(this::watcher).toList();
        List<Member> members =
                new ArrayList<>(watchers.stream().map(Watcher::listening).toList());
        members.set(3, watchers.get(3).at(""));
        watchers.forEach(each -> each.follow(members));
        watchers.forEach(each -> each.awaitConnected(3));
        assertThat(watchers.stream().map(NeighboursTest::watched))
                .containsExactly(
                        List.of("b", "c", "e"),
                        List.of("c", "e", "f"),
                        List.of("e", "f", "a"),
                        List.of("e", "f", "a"),
                        List.of("f", "a", "b"),
                        List.of("a", "b", "c"));
    }

    @Test
    void anotherViewKeepsTheConnectionsThatItStillNeeds() {
        Watcher a = watcher("a");
        Member b = watcher("b").listening();
        Member c = watcher("c").listening();
        Member d = watcher("d").listening();
        a.follow(a.at(""), b, c, d);
        a.awaitConnected(3);
        List<Watch> before = List.copyOf(a.neighbours.watches);
        a.follow(a.at(""), c, d);
        Watcher.await().until(() -> watched(a).equals(List.of("c", "d")));
        a.awaitConnected(2);
        assertThat(a.neighbours.watches).contains(before.get(1));
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void aSingleMemberWatchesNone() {
        Watcher a = watcher("a");
        a.follow(a.listening());
        assertThat(a.neighbours.watches).isEmpty();
    }

    @Test
    void aPortThatIsTakenIsNamedAndTriedAgain() {
        Watcher a = watcher("a");
        Watcher b = watcher("b");
        ScriptedPeer holder = new ScriptedPeer(0);
        a.neighbours.configure(holder.port(), Optional.empty(), false);
        assertThat(a.neighbours.listen()).isEmpty();
        assertThat(a.problems(a.at(""), b.at("")))
                .singleElement()
                .satisfies(problem -> assertThat(problem.sentence(id -> id))
                        .contains("it cannot listen at " + holder.endpoint())
                        .contains("neighbourPort"))
                .matches(problem -> problem.code() == ReasonCode.NOT_LISTENING);
        a.follow(a.at(""), b.listening());
        a.awaitConnected(1);

        holder.close();
        // A process that another test starts at this moment has the socket too, until it has closed what it inherits.
        Watcher.await().until(() -> a.neighbours.listen().equals(holder.endpoint()));
        assertThat(a.problems(a.at(""), b.at(""))).isEmpty();
    }

    @Test
    void anotherPortTakesThePlaceOfTheFirstAndMinusOneOfAll() {
        Watcher a = watcher("a");
        Watcher b = watcher("b");
        String first = a.neighbours.listen();
        assertThat(a.neighbours.listen()).isEqualTo(first);
        b.follow(a.at(first), b.listening());
        b.awaitConnected(1);
        a.follow(a.at(first), b.listening());
        a.awaitConnected(1);

        int port;
        try (ScriptedPeer free = new ScriptedPeer(0)) {
            port = free.port();
        }
        a.neighbours.configure(port, Optional.empty(), false);
        assertThat(a.neighbours.listen()).isEqualTo("127.0.0.1:" + port);
        b.awaitDisconnected();
        b.follow(a.at("127.0.0.1:" + port), b.listening());
        b.awaitConnected(1);

        a.neighbours.configure(-1, Optional.empty(), false);
        assertThat(a.neighbours.listen()).isEmpty();
        b.awaitDisconnected();
        Watcher.await().until(() -> a.neighbours.watches.isEmpty());
        a.follow(a.at(""), b.listening());
        assertThat(a.neighbours.watches).isEmpty();
        assertThat(b.suspected).isEmpty();
    }

    @Test
    void afterTheEndNoConfigurationListensAgain() {
        Watcher a = watcher("a");
        assertThat(a.neighbours.listen()).isNotEmpty();
        a.close();
        a.neighbours.configure(0, Optional.empty(), false);
        assertThat(a.neighbours.listen()).isEmpty();
    }

    @Test
    void manyInstancesHaveOneThreadAndThreeConnectionsEach() {
        List<Watcher> watchers =
                IntStream.range(0, MANY).mapToObj(i -> watcher("i" + i)).toList();
        List<Member> members = watchers.stream().map(Watcher::listening).toList();
        watchers.forEach(each -> each.follow(members));
        Watcher.await().until(() -> watchers.stream().allMatch(each -> each.isConnected(3)));
        assertThat(threads()).hasSize(1);
        assertThat(watchers).allMatch(each -> each.suspected.isEmpty());
    }
}
