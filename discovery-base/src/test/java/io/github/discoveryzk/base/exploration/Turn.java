// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.Effect;
import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.Facts.Intent;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Step;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Processes the input of one instance, as its engine does: each input is recorded and followed by decisions. */
final class Turn {

    private static final long REST = 50;
    private static final int STEPS = 20;

    /** As in the engine. */
    private static final long PAUSE = 100;

    private final World world;
    private final Player player;
    private final long now;

    Turn(World world, Player player) {
        this.world = world;
        this.player = player;
        this.now = player.localTime(world.now());
    }

    void receive(Message message) {
        if (message instanceof Message.Shown shown) {
            show(shown.snapshot());
        } else if (message instanceof Message.Reply reply) {
            completed(reply);
        } else if (message instanceof Message.Lost) {
            lost();
        } else if (message instanceof Message.Hello hello) {
            connected(hello);
        }
    }

    private void show(StoreSnapshot snapshot) {
        player.shown = Optional.of(snapshot);
        Optional<StoreSnapshot> before = player.observations.snapshot();
        if (before.filter(known -> known.slot().version() == snapshot.slot().version())
                .isEmpty()) {
            player.rests.remove(Request.Publish.class);
        }
        player.observations.observed(seen(snapshot).withLeaseProbe(player.leaseProbe), now);
        decide();
    }

    private StoreSnapshot seen(StoreSnapshot snapshot) {
        return player.traits.isBlind()
                ? snapshot.withMembers(
                        snapshot.members().stream()
                                .filter(member -> !isUnreadable(member))
                                .toList(),
                        snapshot.members().stream()
                                .filter(this::isUnreadable)
                                .map(member -> new UnreadableMember(
                                        member.node(), member.seniority(), member.session(), member.formats(), "bytes"))
                                .toList())
                : snapshot;
    }

    private boolean isUnreadable(Member member) {
        return member.isOf(player.traits.unreadable);
    }

    private void completed(Message.Reply reply) {
        Request request = reply.request();
        if (reply.leaseProbe().isPresent()) {
            player.leaseProbe = reply.leaseProbe();
            player.shown.ifPresent(this::show);
        }
        if (reply.outcome().status() != Outcome.Status.DONE) {
            failed(request.kind());
        } else {
            decide();
            succeeded(request);
        }
        decide();
    }

    private void succeeded(Request request) {
        Object kind = request.kind();
        Long started = player.underWay.remove(kind);
        player.rests.remove(kind);
        // Messages take no time here, and an answer of the same millisecond does not count: without a back-off this
        // never ends.
        if (request instanceof Request.ProbeLease && started != null && started == now) {
            player.rests.put(kind, now + 1);
        }
        if (request instanceof Request.Suspect made
                && player.hints.contains(made.suspicion().node())) {
            Set<String> accused = new HashSet<>(player.accused);
            accused.add(made.suspicion().node());
            player.accused = Set.copyOf(accused);
        }
        player.observations.recordSuccess(request, started == null ? Player.NEVER : started, now);
    }

    private void failed(Object kind) {
        player.underWay.remove(kind);
        player.rests.put(kind, now + REST);
    }

    private void lost() {
        player.ready = false;
        player.shown = Optional.empty();
        player.leaseProbe = Optional.empty();
        player.observations.suspended();
        decide();
        for (Object kind : Set.copyOf(player.underWay.keySet())) {
            failed(kind);
        }
        decide();
    }

    private void connected(Message.Hello hello) {
        if (hello.expired()) {
            player.observations.expired();
            decide();
        }
        player.observations.connected(
                hello.session(), Player.TIMEOUT, world.scope().policy.leaseMillis());
        player.rests.clear();
        player.ready = true;
        decide();
        if (player.collecting != player.collected) {
            player.send(new Message.Collect(player.collecting));
        }
        show(hello.snapshot());
    }

    /** Decides until nothing more follows. */
    void decide() {
        if (now - PAUSE > player.wakeAt) {
            player.observations.recordPause(now);
        }
        compare();
        boolean again = true;
        for (int steps = 0; again; steps++) {
            if (steps > STEPS) {
                throw new LawBroken(Laws.LIVENESS, player + " finds no end of effects");
            }
            Step step = Protocol.SETTLING.step(player.state, facts(), world.scope().policy, now);
            again = perform(step);
            if (!again) {
                player.wakeAt = Math.min(step.wakeAt(), restUntil());
                world.narrator().writeState(world, player, step);
            }
        }
        boolean gone = player.self().isEmpty() || !player.observations.link().usable();
        if (player.leaving && !player.listener.heard().acts() && gone) {
            close();
        }
    }

    private void compare() {
        Optional<String> node = player.self().map(Member::node);
        if (player.lastNode.isPresent() && !player.lastNode.equals(node)) {
            player.steppingDown = Optional.empty();
            player.accused = Set.of();
        }
        player.lastNode = node;
    }

    private Set<Suspect> suspects() {
        return player.hints.stream()
                .filter(node -> !player.accused.contains(node) || stands(node))
                .map(node -> new Suspect(node, false, now))
                .collect(Collectors.toSet());
    }

    private boolean stands(String node) {
        return player.observations
                .snapshot()
                .filter(seen -> seen.suspicions().contains(new Suspicion(node, player.lastNode.orElse(""))))
                .isPresent();
    }

    private void close() {
        player.closed = true;
        player.down.clear();
        player.wakeAt = Long.MAX_VALUE;
        player.send(new Message.Close());
    }

    private long restUntil() {
        return player.rests.values().stream()
                .filter(until -> until > now)
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
    }

    private Facts facts() {
        Intent intent = new Intent(
                player.leaving, player.steppingDown, Set.of(), suspects(), Optional.empty(), Long.MIN_VALUE, 0);
        Set<Object> busy = new HashSet<>(player.underWay.keySet());
        player.rests.forEach((kind, until) -> {
            if (now < until) {
                busy.add(kind);
            }
        });
        return player.observations.facts(
                player.listener.heard().acts() ? List.of("listener") : List.of(), busy, intent, 0);
    }

    private boolean perform(Step step) {
        boolean wasSettled = player.state instanceof Settling.Settled;
        for (Effect effect : step.effects()) {
            perform(effect, wasSettled, step);
        }
        player.state = step.state();
        if (player.collecting != step.collect()) {
            player.collecting = step.collect();
            player.send(new Message.Collect(step.collect()));
        }
        boolean lapsed = player.state instanceof Settling.Settled && !extend(step.leaseEnd());
        if (lapsed) {
            player.observations.endLease();
        }
        return lapsed || !step.effects().isEmpty();
    }

    /** Extends the lease; a lease that has ended stays over. */
    private boolean extend(long until) {
        if (now >= player.validUntil) {
            player.validUntil = Player.NEVER;
            return false;
        }
        player.validUntil = Math.max(player.validUntil, until);
        return true;
    }

    private void perform(Effect effect, boolean wasSettled, Step step) {
        world.narrator().writeEffect(player, effect);
        if (effect instanceof Effect.NotifyChanging tell) {
            grammar(wasSettled, tell);
            Checks.checkChanging(world, player, tell.last(), Reason.sentence(tell.why()));
            player.validUntil = Player.NEVER;
            player.listener = player.listener.changing();
        } else if (effect instanceof Effect.NotifySettled tell) {
            grammar(!wasSettled, tell);
            Checks.checkSettled(world, player, tell.next());
            player.disturbed = !player.isHeard();
            player.validUntil = step.leaseEnd();
            player.listener = player.listener.settled(tell.next().number());
        } else if (effect instanceof Effect.NotifyProperties tell) {
            throw new LawBroken(
                    Laws.NO_NEEDLESS_EVENT, player + " tells properties, which no provider changed: " + tell);
        } else if (effect instanceof Effect.Ask ask) {
            ask(ask.request());
        }
    }

    private void grammar(boolean legal, Effect effect) {
        if (!legal) {
            throw new LawBroken(Laws.GRAMMAR, player + " tells " + effect + " while " + player.state);
        }
    }

    private void ask(Request request) {
        if (player.underWay.put(request.kind(), now) != null) {
            throw new LawBroken("One request of a kind", player + " asks again " + request);
        }
        player.send(new Message.Ask(request));
    }
}
