// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides which live nodes of one snapshot are {@link Candidates}, by seniority; used once. */
final class Admission {

    private static final long UNKNOWN = 0;

    private final StoreSnapshot store;
    private final Set<String> viewed = new HashSet<>();
    private final Set<String> excluded;
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
        viewMembers().forEach(member -> viewed.add(member.node()));
        this.excluded = store.view().map(EstablishedView::excluded).orElse(Set.of());
    }

    Candidates candidates() {
        int survivors = store.unreadable().isEmpty() ? considerReadable() : considerAll();
        return new Candidates(
                members,
                nodes,
                new Candidates.Refused(holders, outdated, incompatible),
                unreadable,
                unreadableNewcomers,
                formats.orElse(store.formats()),
                survivors < viewed.size());
    }

    /** All members are known, and the store has them in their order: a third of what a large cluster costs is saved. */
    private int considerReadable() {
        int survivors = 0;
        long last = Long.MIN_VALUE;
        for (Member member : store.members()) {
            if (viewed.contains(member.node())) {
                survivors++;
                last = Math.max(last, member.seniority());
            }
        }
        for (Member member : store.members()) {
            if (!isOutdated(member.node(), member.seniority(), last)) {
                admit(member);
            }
        }
        return survivors;
    }

    private int considerAll() {
        List<Node> live = ordered();
        List<Node> surviving =
                live.stream().filter(node -> viewed.contains(node.name())).toList();
        long last = surviving.stream().mapToLong(Node::seniority).max().orElse(Long.MIN_VALUE);
        live.stream()
                .sorted(Comparator.comparingLong(Node::seniority))
                .filter(node -> !isOutdated(node.name(), node.seniority(), last))
                .forEach(node -> node.readable()
                        .ifPresentOrElse(
                                this::admit, () -> admit(node.unreadable().orElseThrow())));
        return surviving.size();
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
        for (Incarnation member : viewMembers()) {
            Node node = all.remove(member.node());
            if (node != null) {
                ordered.add(node.seniority() == UNKNOWN ? node.withSeniority(before) : node);
                before = ordered.get(ordered.size() - 1).seniority();
            }
        }
        all.values()
                .forEach(node -> ordered.add(node.seniority() == UNKNOWN ? node.withSeniority(Long.MAX_VALUE) : node));
        return ordered;
    }

    private List<Incarnation> viewMembers() {
        return store.view().map(EstablishedView::members).orElse(List.of());
    }

    private boolean isOutdated(String node, long seniority, long lastSurvivor) {
        boolean outdatedNode = excluded.contains(node) || !viewed.contains(node) && seniority < lastSurvivor;
        if (outdatedNode) {
            outdated.add(node);
        }
        return outdatedNode;
    }

    /** Says whether a node shares a format with the candidates; if so, it takes part in what they share. */
    private boolean sharesFormat(String node, FormatRange range) {
        Optional<FormatRange> common =
                formats.isEmpty() ? Optional.of(range) : formats.get().and(range);
        if (common.isEmpty() && !viewed.contains(node)) {
            incompatible.add(node);
            return false;
        }
        formats = common.or(() -> formats);
        return true;
    }

    /** The formats of a duplicate do not count, because it is not a candidate. */
    private void admit(Member member) {
        Optional<Member> holder = byInstance.get(member.instanceId());
        if (holder != null) {
            holder.ifPresent(first -> holders.put(member.node(), first));
        } else if (sharesFormat(member.node(), member.formats())) {
            byInstance.put(member.instanceId(), Optional.of(member));
            members.add(member);
            nodes.add(member.node());
        }
    }

    /** The view has the instance id of a member that cannot be read; the id of a newcomer is unknown. */
    private void admit(UnreadableMember member) {
        if (!sharesFormat(member.node(), member.formats())) {
            return;
        }
        Optional<Incarnation> viewed = viewMembers().stream()
                .filter(each -> each.node().equals(member.node()))
                .findFirst();
        if (viewed.isPresent()) {
            byInstance.putIfAbsent(viewed.get().instanceId(), Optional.empty());
            nodes.add(member.node());
            unreadable.add(member);
        } else {
            unreadableNewcomers.add(member);
        }
    }

    /** A live node, readable or not. */
    private record Node(String name, long seniority, Optional<Member> readable, Optional<UnreadableMember> unreadable) {

        Node withSeniority(long other) {
            return new Node(name, other, readable, unreadable);
        }

        static Node of(Member member) {
            return new Node(member.node(), member.seniority(), Optional.of(member), Optional.empty());
        }

        static Node of(UnreadableMember member) {
            return new Node(member.node(), member.seniority(), Optional.empty(), Optional.of(member));
        }
    }
}
