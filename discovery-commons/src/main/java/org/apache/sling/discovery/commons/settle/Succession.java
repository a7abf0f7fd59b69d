// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;

/**
 * How one view follows another: its number, token and members, and what people are told about it.
 *
 * @param store the snapshot that the decision rests on
 * @param members the members of the next view, in order
 * @param missing live members of the present view that are left out because they have not acknowledged it
 */
record Succession(StoreSnapshot store, List<Member> members, List<Member> missing) {

    EstablishedView view(String initiator, long wallMillis) {
        long number = store.slot().nextNumber();
        List<Incarnation> next = members.stream().map(Member::incarnation).toList();
        Optional<EstablishedView> before = store.view();
        Optional<EstablishedView> sameLeader =
                before.filter(view -> view.leader().equals(next.get(0)));
        return new EstablishedView(
                number,
                before.map(EstablishedView::number).orElse(0L),
                sameLeader.map(EstablishedView::token).orElse(number),
                sameLeader.map(EstablishedView::leaderSinceMillis).orElse(wallMillis),
                next,
                leftOut(before),
                cause(next),
                initiator);
    }

    HistoryEntry history(EstablishedView next, long wallMillis, long changingMillis) {
        return new HistoryEntry(
                next,
                joined(next.members()),
                left(next.members()),
                missing.stream().map(Succession::blame).toList(),
                wallMillis,
                changingMillis);
    }

    /** Names a member that is waited for, with its listener where it named one. */
    static String blame(Member member) {
        return member.instanceId()
                + member.record()
                        .waitingFor()
                        .map(listener -> " (listener " + listener + ")")
                        .orElse("");
    }

    /** Who was left out earlier stays left out as long as its node lives. */
    private Set<String> leftOut(Optional<EstablishedView> before) {
        Set<String> all = new HashSet<>(before.map(EstablishedView::leftOut).orElse(Set.of()));
        all.retainAll(store.members().stream().map(Member::node).toList());
        missing.forEach(member -> all.add(member.node()));
        return all;
    }

    private List<Incarnation> before() {
        return store.view().map(EstablishedView::members).orElse(List.of());
    }

    private List<Incarnation> joined(List<Incarnation> next) {
        return next.stream().filter(member -> !before().contains(member)).toList();
    }

    private List<Incarnation> left(List<Incarnation> next) {
        List<Incarnation> out = missing.stream().map(Member::incarnation).toList();
        return before().stream()
                .filter(member -> !next.contains(member) && !out.contains(member))
                .toList();
    }

    private String cause(List<Incarnation> next) {
        List<String> parts = new ArrayList<>();
        joined(next).forEach(member -> parts.add(member.instanceId() + " joined"));
        left(next).forEach(member -> parts.add(member.instanceId() + " left"));
        missing.forEach(member -> parts.add(blame(member) + " left out: no acknowledgement within the settle timeout"));
        return parts.isEmpty() ? "a member had left the view behind" : String.join("; ", parts);
    }
}
