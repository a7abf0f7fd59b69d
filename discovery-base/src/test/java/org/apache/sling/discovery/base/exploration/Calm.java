// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.testing.laws.LawBroken;
import org.apache.sling.discovery.testing.laws.Laws;

/** Plays a world to its end without further disturbances: L10. */
final class Calm {

    private static final long STEP_INS = 400;

    private Calm() {}

    /** Plays until all have settled, and returns how long that took. */
    static long settle(World from) {
        World world = from.undisturbed().calm();
        long limit = from.now() + Player.TIMEOUT + from.scope().policy.settleTimeoutMillis() + STEP_INS;
        while (!isSettled(world)) {
            if (world.nextDeadline() > limit) {
                throw new LawBroken(Laws.LIVENESS, "not all settle within session timeout and settle timeout");
            }
            world = world.after(Event.TIME).calm();
        }
        return world.now() - from.now();
    }

    private static boolean isSettled(World world) {
        EstablishedView view = world.store().view().orElse(null);
        if (view == null) {
            return world.players().stream().noneMatch(Player::isRunning);
        }
        return world.players().stream()
                .filter(Player::isRunning)
                .filter(player -> !isRefused(world, player))
                .allMatch(player -> isSettled(world, player, view));
    }

    private static boolean isSettled(World world, Player player, EstablishedView view) {
        return player.state instanceof Settling.Settled settled
                && settled.held().number() == view.number()
                && player.localTime(world.now()) < player.validUntil;
    }

    private static boolean isRefused(World world, Player player) {
        return player.lastNode.isPresent()
                && world.players().stream()
                        .anyMatch(other -> other != player
                                && other.sessionLives
                                && other.traits.instanceId.equals(player.traits.instanceId)
                                && other.lastNode
                                        .filter(node -> Store.seniority(node) < Store.seniority(player.lastNode.get()))
                                        .isPresent());
    }
}
