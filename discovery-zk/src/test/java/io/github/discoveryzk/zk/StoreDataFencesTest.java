// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.DataStore.Content;
import io.github.discoveryzk.testing.Witness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of shared data that the store refuses: by a fence, a proof, or because of who writes or owns. */
class StoreDataFencesTest extends DataServer {
    /** Longer than all that happens meanwhile takes. If it is not, a test proves less, and does not fail. */
    private static final Duration LATE = Duration.ofMillis(400);

    @Test
    void aFenceHoldsUntilTheNextViewExists() {
        List<Content> known = follow(a, VALUE);
        By writer = by(a, VALUE, KEY);
        long first = a.publishNext().number();
        OptionalLong version = done(writer.fenced(first).put(NONE, "1"));
        long second = a.publishNext().number();
        assertRejected(writer.fenced(first).put(version, "2"), "leadership in view " + first + " is over");
        version = done(writer.fenced(second).put(version, "2"));
        await(known, has(Map.of(KEY, "2")));
        b.awaitSnapshot(
                all -> all.view().filter(view -> view.number() == second).isPresent());

        proxy.delay(LATE);
        b.publishNext();
        assertRejected(writer.fenced(second).put(version, "3"), "is over");
        assertThat(read(b, VALUE, KEY)).contains("2");
    }

    @Test
    void aProofIsCheckedInTheStore() {
        List<Content> known = follow(a, VALUE);
        OptionalLong proof = done(by(b, VALUE, KEY).put(NONE, "a"));
        By writer = by(a, MAP, "x").proven(VALUE, proof);
        OptionalLong version = done(writer.put(NONE, "1"));
        await(known, has(Map.of(KEY, "a")));
        List<Content> map = follow(a, MAP);
        version = done(writer.put(version, "2"));
        await(map, has(Map.of("x", "2")));

        // All is known, so nothing is read before the write.
        proxy.delay(LATE);
        OptionalLong next = done(by(b, VALUE, KEY).put(proof, "b"));
        assertRejected(writer.put(version, "3"), "which proves the fence");
        proxy.delay(Duration.ZERO);
        await(known, has(Map.of(KEY, "b")));
        assertRejected(writer.put(version, "3"), "which proves the fence");
        done(by(a, MAP, "x").proven(VALUE, next).put(version, "4"));
        assertThat(read(b, MAP, "x")).contains("4");
    }

    @Test
    void theWriterMustBeAMember() {
        By writer = by(a, MAP, "x");
        OptionalLong version = done(writer.put(NONE, "1"));
        b.perform(Witness.leaving(a.own()));
        assertRejected(writer.put(version, "2"), "The member node " + writer.node());
        assertRejected(writer.remove(version), "has gone");
        assertThat(read(b, MAP, "x")).contains("1");
    }

    @Test
    void anEntryOfAMemberIsItsOwnAndEndsWithItsSession() throws Exception {
        List<Content> known = follow(b, MAP);
        OptionalLong version = done(by(a, MAP, "x").own(NONE, "1"));
        await(known, has(Map.of("x", "1")));
        assertThat(server.stat(FOLDER + "/x").getEphemeralOwner()).isEqualTo(a.session());
        assertThat(last(known).entries().get("x").record().get().owner())
                .contains(a.own().node());
        assertOvertaken(by(b, MAP, "x").own(NONE, "2"), "1");
        assertOvertaken(by(b, MAP, "x").put(NONE, "2"), "1");
        assertOvertaken(by(a, MAP, "x").own(NONE, "2"), "1");
        done(by(a, MAP, "x").own(version, "3"));
        await(known, has(Map.of("x", "3")));
        a.close();
        await(known, has(Map.of()));
        done(by(b, MAP, "x").own(NONE, "4"));
    }

    /** The session of a convicted or evicted owner lives on, and so does its entry. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEntryOfAnOwnerThatIsNoMemberCountsAsNone(boolean owned) throws Exception {
        By before = by(a, MAP, "x");
        OptionalLong version = done(before.own(NONE, "1"));
        b.perform(Witness.leaving(a.own()));
        assertThat(server.exists(FOLDER + "/x")).isTrue();
        done(owned ? by(b, MAP, "x").own(NONE, "2") : by(b, MAP, "x").put(NONE, "2"));
        assertThat(server.stat(FOLDER + "/x").getEphemeralOwner()).isEqualTo(owned ? b.session() : 0);
        assertOvertaken(before.own(version, "3"), "2");
        assertRejected(by(before, "y").own(NONE, "3"), "has gone");
        assertThat(server.sessions()).contains(a.session());
    }

    @Test
    void anEntryOfAnEarlierStayOfTheSameInstanceCountsAsNone() throws Exception {
        done(by(a, MAP, "x").own(NONE, "1"));
        Member before = a.own();
        a.perform(Witness.leaving(before));
        a.join();
        done(by(a, MAP, "x").own(NONE, "2"));

        proxy.cut();
        Witness again = witness("a");
        again.join();
        done(by(again, MAP, "x").own(NONE, "3"));
        assertThat(server.stat(FOLDER + "/x").getEphemeralOwner()).isEqualTo(again.session());
        proxy.restore();
        a.awaitConnects(2);
        assertOvertaken(by(b, MAP, "x").own(NONE, "4"), "3");
    }
}
