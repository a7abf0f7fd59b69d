// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What an instance can read of the members. Some servers deny the owner of a node too; an instance knows its own nodes by their names.
 *
 * @param unreadable the members whose records cannot be read
 * @param showsOwners whether their owners and seniorities can be read
 */
record Sight(Predicate<Member> unreadable, boolean showsOwners) {

    /** Returns a snapshot as the owner of that session sees it. */
    StoreSnapshot of(StoreSnapshot snapshot, long session) {
        List<UnreadableMember> others = snapshot.members().stream()
                .filter(this::isUnreadable)
                .map(member -> new UnreadableMember(
                        member.node(),
                        showsOwners ? member.seniority() : 0,
                        showsOwners || member.session() == session ? member.session() : 0,
                        member.formats(),
                        "a test"))
                .toList();
        return others.isEmpty()
                ? snapshot
                : snapshot.withMembers(
                        snapshot.members().stream()
                                .filter(member -> !isUnreadable(member))
                                .toList(),
                        others);
    }

    private boolean isUnreadable(Member member) {
        return unreadable.test(member) || member.record().sessionTimeoutMillis() > TimeUnit.DAYS.toMillis(1);
    }
}
