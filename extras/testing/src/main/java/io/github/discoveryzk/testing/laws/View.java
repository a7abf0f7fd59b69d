// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A view as it was published.
 *
 * @param excluded the nodes that were alive and excluded from it
 * @param cluster the id of the cluster
 * @param at when it was published, in the time of the history that is played
 */
public record View(
        long number, long previous, long token, List<Seat> members, Set<String> excluded, String cluster, long at) {

    /**
     * A member of a view.
     *
     * @param node the name of the member node
     * @param instance the instance id
     * @param process which run of the instance it is; empty where that is not known
     * @param seniority the seniority of the node, 0 where that is not known
     */
    public record Seat(String node, String instance, String process, long seniority) {}

    public View {
        members = List.copyOf(members);
        excluded = Set.copyOf(excluded);
    }

    /** Returns a view as the protocol publishes it. */
    public static View of(EstablishedView view, Function<Incarnation, Seat> seats, String cluster, long at) {
        return new View(
                view.number(),
                view.previous(),
                view.token(),
                view.members().stream().map(seats).toList(),
                view.excluded(),
                cluster,
                at);
    }

    public Seat leader() {
        return members.get(0);
    }

    public List<String> ids() {
        return members.stream().map(Seat::instance).toList();
    }

    public boolean has(String node) {
        return members.stream().anyMatch(seat -> seat.node().equals(node));
    }

    @Override
    public String toString() {
        return "view " + number + " " + ids() + " after " + previous + " with token " + token;
    }
}
