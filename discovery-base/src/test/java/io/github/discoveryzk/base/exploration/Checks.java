// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.testing.laws.Call;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.laws.Listening;
import io.github.discoveryzk.testing.laws.View;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Feeds the laws with the events of a world, and checks what only the explorer can know: the state of all instances. */
final class Checks {

    static final Laws LAWS = Laws.throwing();

    private static final long STEP_INS = 400;

    private Checks() {}

    /** Checks a publication, and returns the chain with it. */
    static Chain published(Store before, EstablishedView next) {
        View view = View.of(next, member -> seat(before, member), Store.CLUSTER, 0);
        return LAWS.published(
                before.chain(),
                view,
                before.members().stream().map(Member::node).collect(Collectors.toSet()),
                false);
    }

    private static View.Seat seat(Store store, Incarnation member) {
        return new View.Seat(
                member.node(),
                member.instanceId(),
                store.members().stream()
                        .filter(live -> live.node().equals(member.node()))
                        .map(live -> live.record().process().runtimeId())
                        .findFirst()
                        .orElse(""),
                Store.seniority(member.node()));
    }

    /** L4 and L8: every view that listeners receive was published like this, and none is older than the one before. */
    static void checkSettled(World world, Player player, HeldView held) {
        LAWS.checkShown(
                world.store().chain(),
                Player.runtimeId(player.index),
                new Call.Shown(
                        held.number(),
                        held.leads() ? held.view().token() : 0,
                        held.members().stream().map(Member::instanceId).toList(),
                        held.view().leader().instanceId(),
                        player.traits.instanceId,
                        held.clusterId()));
        LAWS.check(
                player.listener.heard().number() <= held.number(),
                Laws.AGREEMENT,
                () -> player + " shows " + held.view() + " after view "
                        + player.listener.heard().number());
    }

    /** L17: an instance that has lived and reached the store for any time was able to refute, because its messages take none. */
    static void checkVerdict(World world, LeaveRecord verdict) {
        world.players().stream()
                .filter(player -> player.lastNode.equals(Optional.of(verdict.node())))
                .forEach(player -> LAWS.check(
                        !player.isRunning()
                                || !player.isHeard()
                                || player.traits.slowNet
                                || player.wellSince >= world.now(),
                        Laws.HINT_IS_NO_PROOF,
                        () -> player + " lives and reaches the store, but was removed by " + verdict.by()));
    }

    /** L9: there is a reason for each CHANGING. */
    static void checkChanging(World world, Player player, HeldView last, Object why) {
        LAWS.check(
                player.disturbed
                        || player.leaving
                        || player.steppingDown.isPresent()
                        || world.store().number() != last.number()
                        || world.store().disagreed()
                        || player.traits.slowNet && player.localTime(world.now()) >= player.validUntil,
                Laws.NO_NEEDLESS_EVENT,
                () -> player + " tells CHANGING: " + why);
    }

    /** L5, L6, L7 and L8, in each state. */
    static void check(World world) {
        List<Player> running =
                world.players().stream().filter(Player::isRunning).toList();
        List<Player> leaders = running.stream()
                .filter(player -> player.isCurrentLeader(world.now()))
                .toList();
        LAWS.check(leaders.size() < 2, Laws.ONE_CURRENT_LEADER, () -> leaders.get(0) + " and " + leaders.get(1));
        leaders.forEach(world::checkToken);
        List<Listening> listeners =
                running.stream().map(player -> player.listener.heard()).toList();
        for (Player player : running) {
            Listening heard = player.listener.heard();
            if (heard.number() > 0 && !heard.isChanging()) {
                LAWS.checkSettled(world.store().chain(), heard, listeners);
            }
            boolean late = player.state instanceof Settling.Settled
                    && !player.paused
                    && player.localTime(world.now()) >= player.validUntil
                    && player.wakeAt > player.localTime(world.now());
            LAWS.check(!late, Laws.NO_FABRICATED_VIEW, () -> player + " is settled although its lease is over");
        }
    }

    /** L10: plays a world without further disturbances until all have settled, and returns how long that took. */
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

    /** Says whether all have settled on the established view; of several with one instance id all but the first are refused. */
    private static boolean isSettled(World world) {
        long number = world.store().view().map(EstablishedView::number).orElse(0L);
        return world.players().stream()
                .filter(Player::isRunning)
                .filter(player -> world.players().stream().noneMatch(other -> isRefusedBeside(player, other)))
                .allMatch(player -> player.state instanceof Settling.Settled settled
                        && settled.held().number() == number
                        && player.localTime(world.now()) < player.validUntil);
    }

    private static boolean isRefusedBeside(Player player, Player other) {
        return other != player
                && other.sessionLives
                && other.traits.instanceId.equals(player.traits.instanceId)
                && player.lastNode.isPresent()
                && other.lastNode
                        .filter(node -> Store.seniority(node) < Store.seniority(player.lastNode.get()))
                        .isPresent();
    }
}
