// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The view that the cluster has settled on, as recorded in the store: the single authority on the members, their order, and the
 * leader. Views form one chain by {@link #previous}.
 *
 * @param number grows by one with each view; the first one is taken from a transaction id of the store, so that numbers grow
 *     even when the tree was deleted in between
 * @param previous the number of the view before, 0 for the first
 * @param token the fencing token of the leadership: the number of the view in which the leader became leader
 * @param sessionTimeoutMillis the longest session timeout of its members, in milliseconds: no lease given under this view is longer
 * @param leaderSinceMillis wall-clock time at which that view was published; for display only
 * @param members the members by seniority, never empty; the first one leads
 * @param leftOut nodes that are alive but had not acknowledged the previous view in time; such an incarnation never becomes a
 *     member again
 * @param cause why this view follows the previous one, in words
 * @param publisher the instance id of the coordinator that published it
 */
public record EstablishedView(
        long number,
        long previous,
        long token,
        int sessionTimeoutMillis,
        long leaderSinceMillis,
        List<Incarnation> members,
        Set<String> leftOut,
        String cause,
        String publisher) {

    public EstablishedView {
        members = List.copyOf(members);
        leftOut = Set.copyOf(leftOut);
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(publisher, "publisher");
        if (members.isEmpty()) {
            throw new IllegalArgumentException("view " + number + " has no members");
        }
        checkNumbers(number, previous, token);
    }

    static void checkNumbers(long number, long previous, long token) {
        if (number <= previous || token > number) {
            throw new IllegalArgumentException(
                    "view " + number + " cannot follow view " + previous + " with token " + token);
        }
    }

    public Incarnation leader() {
        return members.get(0);
    }

    public boolean contains(String node) {
        return members.stream().anyMatch(member -> member.node().equals(node));
    }
}
