// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import java.util.Optional;
import java.util.Set;

/**
 * The members as this instance has seen them last.
 *
 * @param self the member node of this instance
 * @param live the member nodes
 */
record Members(Optional<String> self, Set<String> live) {

    static final Members NONE = new Members(Optional.empty(), Set.of());

    static Members of(Optional<Member> self, StoreSnapshot seen) {
        return new Members(self.map(Member::node), seen.liveNodes());
    }
}
