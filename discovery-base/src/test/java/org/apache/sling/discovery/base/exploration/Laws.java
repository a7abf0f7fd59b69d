// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.HashSet;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;

/** The laws of discovery, checked in each state. */
final class Laws {

    private Laws() {}

    /** L2, L3, L4, L7, L11 and L14, at a publication. */
    static void checkPublication(Store before, EstablishedView next) {
        EstablishedView last = before.view().orElse(null);
        order(last, next);
        identity(next);
        long previous = last == null ? 0 : last.number();
        if (next.previous() != previous
                || next.number()
                        <= before.views().keySet().stream()
                                .mapToLong(Long::longValue)
                                .max()
                                .orElse(0)) {
            throw new LawBroken("L4 Agreement", words(next) + " does not follow view " + previous);
        }
        if (last != null) {
            noSurvivorIsLost(before, last, next);
            token(before, last, next);
        }
    }

    private static void order(EstablishedView last, EstablishedView next) {
        int latest = 0;
        boolean newcomers = false;
        for (Incarnation member : next.members()) {
            boolean survivor = last != null && last.contains(member.node());
            if (Store.seniority(member.node()) <= latest || survivor && newcomers) {
                throw new LawBroken("L2 Order", words(next) + " is not by seniority");
            }
            latest = Store.seniority(member.node());
            newcomers |= !survivor;
        }
    }

    private static void identity(EstablishedView next) {
        Set<String> ids = new HashSet<>();
        next.members().forEach(member -> {
            if (!ids.add(member.instanceId())) {
                throw new LawBroken("L11 Identity", member.instanceId() + " is twice in " + words(next));
            }
        });
    }

    private static void noSurvivorIsLost(Store before, EstablishedView last, EstablishedView next) {
        for (Incarnation member : last.members()) {
            boolean lost = !next.contains(member.node())
                    && !next.leftOut().contains(member.node())
                    && before.isLive(member.node());
            if (lost) {
                boolean led = member.equals(last.leader());
                throw new LawBroken(
                        led ? "L3 Leader" : "L14 Blind is not dead",
                        member.instanceId() + " lives and is neither in " + words(next) + " nor left out of it");
            }
        }
    }

    private static void token(Store before, EstablishedView last, EstablishedView next) {
        boolean goesOn = last.leader().equals(next.leader()) && next.number() == last.number() + 1;
        if (goesOn ? next.token() != last.token() : next.token() <= before.highestToken()) {
            throw new LawBroken("L7 Token", words(next) + " after token " + last.token());
        }
    }

    /** Checks L4 and L8: every view that listeners receive was published exactly like this. */
    static void checkSettled(World world, Player player, HeldView held) {
        EstablishedView published = world.store().views().get(held.number());
        if (published == null) {
            throw new LawBroken("L8 No fabricated view", player + " shows view " + held.number());
        }
        boolean same = published.equals(held.view())
                && held.members().stream()
                        .map(member -> member.incarnation())
                        .toList()
                        .equals(published.members());
        if (!same || player.listener.told() > held.number()) {
            throw new LawBroken("L4 Agreement", player + " shows " + words(held.view()));
        }
    }

    /** L9: there is a reason for each CHANGING. */
    static void checkChanging(World world, Player player, HeldView last, String why) {
        boolean reason = player.disturbed
                || player.leaving
                || player.standingDown.isPresent()
                || world.store().number() != last.number()
                || world.store().disagreed()
                || player.traits.slowNet() && player.localTime(world.now()) >= player.validUntil;
        if (!reason) {
            throw new LawBroken("L9 No needless event", player + " tells CHANGING: " + why);
        }
    }

    /** L5, L6, L7 and L8, in each state. */
    static void check(World world) {
        Player leader = null;
        for (Player player : world.players()) {
            if (player.isRunning()) {
                if (player.isCurrentLeader(world.now())) {
                    if (leader != null) {
                        throw new LawBroken("L6 One current leader", leader + " and " + player);
                    }
                    leader = player;
                }
                cutOff(world, player);
                noListenerActsOnAnEarlierView(world, player);
            }
        }
        if (leader != null) {
            world.checkToken(leader);
        }
    }

    private static void cutOff(World world, Player player) {
        boolean late = player.state instanceof Settling.Settled
                && !player.paused
                && player.localTime(world.now()) >= player.validUntil
                && player.wakeAt > player.localTime(world.now());
        if (late) {
            throw new LawBroken("L8 No fabricated view", player + " is settled although its lease is over");
        }
    }

    private static void noListenerActsOnAnEarlierView(World world, Player hearing) {
        Listener heard = hearing.listener;
        if (heard.told() == 0 || heard.toldChanging()) {
            return;
        }
        EstablishedView view = world.store().views().get(heard.told());
        EstablishedView before = world.store().views().get(view.previous());
        if (before == null) {
            return;
        }
        for (Player other : world.players()) {
            boolean behind = other.isRunning() && other.listener.acts() && other.listener.told() < view.number();
            if (behind && isMemberOfBoth(world, other, before, view)) {
                throw new LawBroken(
                        "L5 Settled",
                        hearing + " has received " + words(view) + " while the listener of " + other + " acts on view "
                                + other.listener.told());
            }
        }
    }

    private static boolean isMemberOfBoth(World world, Player player, EstablishedView before, EstablishedView view) {
        String runtimeId = Player.runtimeId(player.index);
        return world.store().members().stream()
                .filter(member -> member.isOf(runtimeId))
                .anyMatch(member -> before.contains(member.node()) && view.contains(member.node()));
    }

    static String words(EstablishedView view) {
        return "view " + (view.number() - 100) + " "
                + view.members().stream().map(Incarnation::instanceId).toList();
    }
}
