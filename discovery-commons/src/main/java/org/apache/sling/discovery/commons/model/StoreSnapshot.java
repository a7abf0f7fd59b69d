// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster as one instance sees it in the store at one moment: always whole, never a difference to an earlier one.
 *
 * @param clusterId the persistent id of the cluster
 * @param members the live member nodes, by seniority whatever order they are given in
 * @param slot the established view
 * @param acknowledgements the acknowledgements that are there; empty unless this instance collects them
 * @param problems what in the store cannot be read or does not belong there, a sentence each: what, where, what to do
 */
public record StoreSnapshot(
        String clusterId,
        List<Member> members,
        ViewSlot slot,
        Optional<Set<Acknowledgement>> acknowledgements,
        List<String> problems) {

    public StoreSnapshot {
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(slot, "slot");
        members = members.stream()
                .sorted(Comparator.comparingLong(Member::seniority))
                .toList();
        acknowledgements = acknowledgements.map(Set::copyOf);
        problems = List.copyOf(problems);
    }

    public Optional<EstablishedView> view() {
        return slot.view();
    }

    /** Returns the node that the process with that runtime id owns through that session; the eldest, should there be two. */
    public Optional<Member> owned(String runtimeId, long session) {
        return members.stream()
                .filter(member -> member.isOf(runtimeId) && member.session() == session)
                .findFirst();
    }
}
