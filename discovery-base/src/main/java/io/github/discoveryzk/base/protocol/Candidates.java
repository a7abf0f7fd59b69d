// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The live members that would form the next view, and the reasons why others would not. The only code that knows what makes two
 * structures different.
 *
 * @param members the candidates that can be read, by seniority
 * @param nodes the nodes of all candidates by seniority, including unreadable members of the view: a member does not leave a
 *     view because its record cannot be read
 * @param refused the live nodes that are not candidates although they can be read
 * @param unreadable members of the view whose records this instance cannot read
 * @param unreadableNewcomers newcomers whose records this instance cannot read, although others may
 * @param formats the formats that all candidates read and write
 * @param memberGone whether the node of a member of the view is gone
 */
public record Candidates(
        List<Member> members,
        List<String> nodes,
        Refused refused,
        List<UnreadableMember> unreadable,
        List<UnreadableMember> unreadableNewcomers,
        FormatRange formats,
        boolean memberGone) {

    /** The candidates before the first snapshot. */
    static final Candidates NONE =
            new Candidates(List.of(), List.of(), Refused.NONE, List.of(), List.of(), FormatRange.CURRENT, false);

    /**
     * The live nodes that are refused, by reason.
     *
     * @param holders for each refused node the member that has the same instance id
     * @param outdated nodes that can never become members again: excluded from a view, or senior to a member although not in
     *     the view themselves, so that admitting them would put a newcomer before a survivor
     * @param incompatible newcomers that read and write none of the formats that all candidates share
     */
    public record Refused(Map<String, Member> holders, Set<String> outdated, Set<String> incompatible) {

        static final Refused NONE = new Refused(Map.of(), Set.of(), Set.of());

        public Refused {
            holders = Map.copyOf(holders);
            outdated = Set.copyOf(outdated);
            incompatible = Set.copyOf(incompatible);
        }
    }

    public Candidates {
        members = List.copyOf(members);
        nodes = List.copyOf(nodes);
        unreadable = List.copyOf(unreadable);
        unreadableNewcomers = List.copyOf(unreadableNewcomers);
    }

    /** Returns the candidates that a snapshot shows. */
    public static Candidates of(StoreSnapshot store) {
        return new Admission(store).candidates();
    }

    /**
     * Says whether the view still stands: it has exactly these members, in this order, and none of them is known to have
     * invalidated it.
     */
    public boolean agreeWith(EstablishedView view) {
        List<Incarnation> viewed = view.members();
        if (viewed.size() != nodes.size()) {
            return false;
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).equals(viewed.get(i).node())) {
                return false;
            }
        }
        return isStanding(view);
    }

    private boolean isStanding(EstablishedView view) {
        for (Member member : members) {
            if (invalidates(member, view)) {
                return false;
            }
        }
        return true;
    }

    private static boolean invalidates(Member member, EstablishedView view) {
        OptionalLong number = member.record().invalidatedUpTo();
        return number.isPresent() && number.getAsLong() >= view.number();
    }

    /** Returns the newest format in the given range that all candidates read. */
    int format(FormatRange own) {
        return formats.and(own).map(FormatRange::newest).orElse(own.oldest());
    }

    /** Returns how these members differ from those of a view. */
    List<Reason> difference(EstablishedView view) {
        List<Reason> reasons = new ArrayList<>();
        Set<String> left = new LinkedHashSet<>();
        for (Incarnation member : view.members()) {
            left.add(member.node());
        }
        for (Member member : members) {
            if (!left.remove(member.node())) {
                reasons.add(Reason.of(ReasonCode.JOINED, member.instanceId()));
            }
        }
        nodes.forEach(left::remove);
        for (Incarnation member : view.members()) {
            if (left.contains(member.node())) {
                reasons.add(Reason.of(ReasonCode.LEFT, member.instanceId()));
            }
        }
        for (Member member : members) {
            if (invalidates(member, view)) {
                reasons.add(Reason.of(ReasonCode.INVALIDATES, member.instanceId()));
            }
        }
        return reasons.isEmpty() ? List.of(Reason.of(ReasonCode.OTHER_ORDER)) : reasons;
    }

    /** Returns why an instance that cannot read a member does not settle. */
    Waiting unreadableWaiting() {
        return unreadable(
                ReasonCode.UNREADABLE,
                Stream.concat(unreadable.stream(), unreadableNewcomers.stream()).toList());
    }

    /** Returns why a coordinator leaves it to others to admit a newcomer that it cannot read. */
    Waiting unreadableNewcomersWaiting() {
        return unreadable(ReasonCode.UNREADABLE_NEWCOMERS, unreadableNewcomers);
    }

    private static Waiting unreadable(ReasonCode code, List<UnreadableMember> members) {
        return Waiting.of(
                code,
                members.get(0).why(),
                members.stream().map(UnreadableMember::node).toList());
    }

    /** Returns how many candidates are senior to that one; empty for another node. */
    Optional<Integer> seniors(String node) {
        int index = nodes.indexOf(node);
        return index < 0 ? Optional.empty() : Optional.of(index);
    }
}
