// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A view together with all data that listeners receive about it.
 *
 * @param self the member node of this instance, one of the view's
 * @param clusterId the id of the cluster
 * @param view the established view
 * @param members its members with their records, in the order of the view
 */
public record HeldView(String self, String clusterId, EstablishedView view, List<Member> members) {

    public HeldView {
        Objects.requireNonNull(self, "self");
        Objects.requireNonNull(clusterId, "clusterId");
        members = List.copyOf(members);
        if (!view.contains(self) || members.size() != view.members().size()) {
            throw new IllegalArgumentException("view " + view.number() + " needs " + self + " and all its members");
        }
    }

    /** Returns the established view of the snapshot with its members' records, provided all of them and {@code self} are there. */
    static Optional<HeldView> of(String self, StoreSnapshot store) {
        List<Member> survivors = store.survivors();
        return store.view()
                .filter(view -> view.contains(self))
                .filter(view -> survivors.size() == view.members().size())
                .map(view -> new HeldView(self, store.clusterId(), view, survivors));
    }

    public long number() {
        return view.number();
    }

    /** Says whether this instance leads the view. */
    public boolean leads() {
        return view.leader().node().equals(self);
    }

    /** Says whether both have the same properties for the same members, which is all that listeners can distinguish. */
    boolean sameProperties(HeldView other) {
        return properties().equals(other.properties());
    }

    private List<?> properties() {
        return members.stream().map(member -> member.record().properties()).toList();
    }
}
