// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;

/**
 * Who of the live members would form the next view, and why the others would not. The one place that knows what makes two
 * structures different.
 *
 * @param members the members of the next view by seniority
 * @param holders for each refused node the member that has the same instance id
 * @param outdated nodes that can never become members again: left out of a view, or senior to a member although not in the
 *     view themselves, so that admitting them would put a newcomer before a survivor
 */
public record Candidates(List<Member> members, Map<String, Member> holders, Set<String> outdated) {

    public Candidates {
        members = List.copyOf(members);
        holders = Map.copyOf(holders);
        outdated = Set.copyOf(outdated);
    }

    /** Returns the candidates that a snapshot shows. */
    public static Candidates of(StoreSnapshot store) {
        Set<String> outdated = store.members().stream()
                .filter(member -> isOutdated(member, store))
                .map(Member::node)
                .collect(Collectors.toUnmodifiableSet());
        Map<String, Member> byInstance = new HashMap<>();
        Map<String, Member> holders = new HashMap<>();
        List<Member> members = store.members().stream()
                .filter(member -> !outdated.contains(member.node()))
                .filter(member -> isFirst(member, byInstance, holders))
                .toList();
        return new Candidates(members, holders, outdated);
    }

    private static boolean isOutdated(Member member, StoreSnapshot store) {
        return store.view()
                .map(view -> view.leftOut().contains(member.node())
                        || !view.contains(member.node()) && isSeniorToSurvivor(member, view, store))
                .orElse(false);
    }

    private static boolean isSeniorToSurvivor(Member member, EstablishedView view, StoreSnapshot store) {
        return view.survivors(store.members()).stream().anyMatch(survivor -> survivor.seniority() > member.seniority());
    }

    private static boolean isFirst(Member member, Map<String, Member> byInstance, Map<String, Member> holders) {
        Member holder = byInstance.putIfAbsent(member.instanceId(), member);
        if (holder != null) {
            holders.put(member.node(), holder);
        }
        return holder == null;
    }

    /**
     * Says whether the view still stands: it has exactly these members, in this order, and none of them has left it behind.
     */
    public boolean agreeWith(EstablishedView view) {
        return nodes().equals(view.members().stream().map(Incarnation::node).toList())
                && members.stream().noneMatch(member -> hasAbandoned(member, view));
    }

    private static boolean hasAbandoned(Member member, EstablishedView view) {
        return member.record().abandoned().stream().anyMatch(number -> number >= view.number());
    }

    /** Says in words how these members differ from those of a view. */
    String difference(EstablishedView view) {
        Stream<String> came = members.stream()
                .filter(member -> !view.contains(member.node()))
                .map(member -> member.instanceId() + " came");
        Stream<String> went = view.members().stream()
                .filter(member -> !nodes().contains(member.node()))
                .map(member -> member.instanceId() + " went");
        Stream<String> abandoned = members.stream()
                .filter(member -> hasAbandoned(member, view))
                .map(member -> member.instanceId() + " has left it behind");
        return Stream.of(came, went, abandoned).flatMap(each -> each).collect(Collectors.joining(", "));
    }

    List<String> nodes() {
        return members.stream().map(Member::node).toList();
    }

    /** Returns the place in the order at which that node would be, or empty. */
    Optional<Integer> rank(String node) {
        int index = nodes().indexOf(node);
        return index < 0 ? Optional.empty() : Optional.of(index);
    }
}
