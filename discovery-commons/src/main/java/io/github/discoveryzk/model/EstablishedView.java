// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The view that the cluster has settled on, as recorded in the store: the single authority on the members, their order, and the
 * leader. Views form one chain by {@link ViewHead#previous}.
 *
 * @param head its number, the leadership, and why it was published
 * @param members the members by seniority, never empty; the first one leads
 * @param excluded nodes that are alive but had not acknowledged the previous view in time; such an incarnation never becomes a
 *     member again
 */
public record EstablishedView(ViewHead head, List<Incarnation> members, Set<String> excluded) {

    public EstablishedView {
        Objects.requireNonNull(head, "head");
        members = List.copyOf(members);
        excluded = Set.copyOf(excluded);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("view " + head.number() + " has no members");
        }
    }

    public long number() {
        return head.number();
    }

    public long previous() {
        return head.previous();
    }

    public long token() {
        return head.token();
    }

    public int sessionTimeoutMillis() {
        return head.sessionTimeoutMillis();
    }

    /** Returns why this view follows the previous one. */
    public List<Reason> cause() {
        return head.cause();
    }

    public Incarnation leader() {
        return members.get(0);
    }

    public boolean contains(String node) {
        return members.stream().anyMatch(member -> member.node().equals(node));
    }
}
