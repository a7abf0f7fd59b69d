// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.UnreadableMember;

/** Decides which live nodes of one snapshot are {@link Candidates}, by seniority; used once. */
final class Admission {

    private static final long UNKNOWN = 0;

    private final StoreSnapshot store;
    private final List<Node> live;
    private final Map<String, String> viewed;
    private final Set<String> leftOut;
    private final long lastSurvivor;
    private final List<Member> members = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();
    private final Map<String, Optional<Member>> byInstance = new HashMap<>();
    private final Map<String, Member> holders = new HashMap<>();
    private final Set<String> outdated = new HashSet<>();
    private final Set<String> incompatible = new HashSet<>();
    private final List<UnreadableMember> unreadable = new ArrayList<>();
    private final List<UnreadableMember> unreadableNewcomers = new ArrayList<>();
    private Optional<FormatRange> formats = Optional.empty();

    Admission(StoreSnapshot store) {
        this.store = store;
        Optional<EstablishedView> view = store.view();
        this.viewed = view.map(EstablishedView::members).orElse(List.of()).stream()
                .collect(Collectors.toMap(
                        Incarnation::node, Incarnation::instanceId, (one, same) -> one, LinkedHashMap::new));
        this.leftOut = view.map(EstablishedView::leftOut).orElse(Set.of());
        this.live = ordered();
        this.lastSurvivor = live.stream()
                .filter(node -> viewed.containsKey(node.name()))
                .mapToLong(Node::seniority)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    Candidates candidates() {
        live.stream().sorted(Comparator.comparingLong(Node::seniority)).forEach(this::consider);
        return new Candidates(
                members,
                nodes,
                holders,
                outdated,
                incompatible,
                unreadable,
                unreadableNewcomers,
                formats.orElse(store.formats()));
    }

    /**
     * Returns the live nodes, first those of the view in its order. A member of unknown seniority stays after the
     * preceding member; a newcomer of unknown seniority comes last.
     */
    private List<Node> ordered() {
        Map<String, Node> all = new LinkedHashMap<>();
        store.members().forEach(member -> all.put(member.node(), Node.of(member)));
        store.unreadable().forEach(member -> all.put(member.node(), Node.of(member)));
        List<Node> ordered = new ArrayList<>();
        long before = 0;
        for (String name : viewed.keySet()) {
            Node node = all.remove(name);
            if (node != null) {
                ordered.add(node.seniority() == UNKNOWN ? node.withSeniority(before) : node);
                before = ordered.get(ordered.size() - 1).seniority();
            }
        }
        all.values()
                .forEach(node -> ordered.add(node.seniority() == UNKNOWN ? node.withSeniority(Long.MAX_VALUE) : node));
        return ordered;
    }

    private void consider(Node node) {
        boolean inView = viewed.containsKey(node.name());
        if (leftOut.contains(node.name()) || !inView && node.seniority() < lastSurvivor) {
            outdated.add(node.name());
        } else if (!inView && !sharesFormat(node)) {
            incompatible.add(node.name());
        } else {
            formats = formats.isEmpty()
                    ? Optional.of(node.formats())
                    : formats.get().and(node.formats()).or(() -> formats);
            node.readable()
                    .ifPresentOrElse(this::admit, () -> admit(node.unreadable().orElseThrow(), inView));
        }
    }

    private boolean sharesFormat(Node node) {
        return formats.map(common -> common.and(node.formats()).isPresent()).orElse(true);
    }

    private void admit(Member member) {
        Optional<Member> holder = byInstance.putIfAbsent(member.instanceId(), Optional.of(member));
        if (holder == null) {
            members.add(member);
            nodes.add(member.node());
        } else {
            holder.ifPresent(first -> holders.put(member.node(), first));
        }
    }

    /** The view has the instance id of a member that cannot be read; the id of a newcomer is unknown. */
    private void admit(UnreadableMember member, boolean inView) {
        if (inView) {
            byInstance.putIfAbsent(viewed.get(member.node()), Optional.empty());
            nodes.add(member.node());
            unreadable.add(member);
        } else {
            unreadableNewcomers.add(member);
        }
    }

    /** A live node, readable or not. */
    private record Node(
            String name,
            long seniority,
            FormatRange formats,
            Optional<Member> readable,
            Optional<UnreadableMember> unreadable) {

        Node withSeniority(long other) {
            return new Node(name, other, formats, readable, unreadable);
        }

        static Node of(Member member) {
            return new Node(member.node(), member.seniority(), member.formats(), Optional.of(member), Optional.empty());
        }

        static Node of(UnreadableMember member) {
            return new Node(member.node(), member.seniority(), member.formats(), Optional.empty(), Optional.of(member));
        }
    }
}
