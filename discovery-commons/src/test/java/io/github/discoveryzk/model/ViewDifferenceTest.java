// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is refused. The simulation checks that the difference of each publication leads to the next view and back. */
class ViewDifferenceTest {

    private int nodes;

    private List<Incarnation> join(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> new Incarnation("m-" + nodes, "id-" + nodes++ % 30))
                .toList();
    }

    @Test
    void isNoDifferenceFromAnotherView() {
        List<Incarnation> four = join(4);
        List<Incarnation> joins = join(1);
        EstablishedView before = view(8, 7, 7, four, Set.of());
        List<Incarnation> after = Stream.concat(Stream.of(four.get(0), four.get(2), four.get(3)), joins.stream())
                .toList();
        ViewDifference difference = ViewDifference.between(Optional.of(before), view(9, 8, 7, after, Set.of()));
        List<Incarnation> otherOrder = new ArrayList<>(four);
        Collections.swap(otherOrder, 2, 3);

        assertThat(difference.applyTo(before)).isPresent();
        assertThat(difference.applyTo(view(7, 6, 6, four, Set.of()))).isEmpty();
        for (List<Incarnation> others : List.of(
                otherOrder,
                four.subList(0, 3),
                four.subList(1, 4),
                four.subList(0, 1),
                List.of(four.get(0), four.get(1), four.get(2), joins.get(0)),
                Stream.concat(four.stream(), joins.stream()).toList(),
                List.of(
                        four.get(0),
                        four.get(1),
                        four.get(2),
                        new Incarnation(four.get(3).node(), "other")))) {
            assertThat(difference.applyTo(view(8, 7, 7, others, Set.of()))).isEmpty();
        }
        assertThat(difference.undo(four)).isEmpty();
        assertThat(difference.undo(List.of())).isEmpty();
    }

    @Test
    void survivorsThatAreNotInTheirOrderCannotBeDerived() {
        List<Incarnation> two = join(2);
        EstablishedView before = view(8, 7, 7, two, Set.of());
        List<Incarnation> newcomerFirst =
                Stream.concat(join(1).stream(), two.stream()).toList();
        EstablishedView after = view(9, 8, 9, newcomerFirst, Set.of());
        assertThat(ViewDifference.between(Optional.of(before), after).applyTo(before))
                .isEmpty();
    }

    @Test
    void impossibleNumbersAreRejected() {
        List<Incarnation> one = join(1);
        ViewDifference good = ViewDifference.between(Optional.empty(), view(9, 0, 9, one, Set.of()));
        assertThatThrownBy(() -> with(good, 9, 9, 9, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> with(good, 9, 0, 10, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> with(good, 9, 0, 9, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ViewDifference.Removal(-1, one.get(0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(with(good, 9, 0, 9, 1)).isEqualTo(good);
    }

    private static ViewDifference with(ViewDifference one, long number, long previous, long token, int size) {
        ViewHead head = one.head();
        return new ViewDifference(
                new ViewHead(
                        number,
                        previous,
                        token,
                        head.sessionTimeoutMillis(),
                        head.leaderSinceMillis(),
                        head.cause(),
                        head.publisher()),
                one.removed(),
                one.joined(),
                one.excluded(),
                one.leader(),
                size,
                one.digest());
    }

    private static EstablishedView view(
            long number, long previous, long token, List<Incarnation> members, Set<String> excluded) {
        return new EstablishedView(
                new ViewHead(
                        number,
                        previous,
                        token,
                        9_000 + (int) number % 3,
                        token * 10,
                        Reason.ofText("cause " + number),
                        "p"),
                members,
                excluded);
    }
}
