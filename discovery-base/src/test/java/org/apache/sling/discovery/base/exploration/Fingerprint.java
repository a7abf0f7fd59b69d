// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.ChangeProgress;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Observations;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.spi.Request;

/** 128 bits that are equal for worlds with the same future. Alike instances are put into one order. */
final class Fingerprint extends Digest {

    private static final List<Class<? extends Request>> KINDS = List.of(
            Request.Announce.class,
            Request.Delete.class,
            Request.Update.class,
            Request.Acknowledge.class,
            Request.Publish.class,
            Request.Probe.class,
            Request.ProbeLease.class,
            Request.Renew.class);

    private final World world;
    private final int[] positions;

    private Fingerprint(World world) {
        super(world.store());
        this.world = world;
        this.positions = new int[world.players().size()];
    }

    /** Returns the two halves. */
    static long[] of(World world) {
        Fingerprint print = new Fingerprint(world);
        print.world();
        return print.halves();
    }

    @Override
    void instance(int index) {
        add(positions[index]);
    }

    private void world() {
        for (Event.Kind kind : Event.Kind.values()) {
            add(world.left(kind));
        }
        List<Player> order = new ArrayList<>(world.players());
        order.sort(Comparator.comparingLong(Fingerprint::rank));
        for (int position = 0; position < order.size(); position++) {
            positions[order.get(position).index] = position;
        }
        store(world.store());
        token(world.usedToken());
        order.forEach(this::player);
    }

    /** Ranks by the seniority of the own node and a few simple facts. */
    private static long rank(Player player) {
        long seniority = player.lastNode.map(Store::seniority).orElse(1_000);
        long rank = player.started ? seniority : 2_000;
        rank = rank * 4 + (player.dead ? 2 : 0) + (player.closed ? 1 : 0);
        rank = rank * 16 + Math.min(15, player.up.size());
        return rank * 16 + Math.min(15, player.down.size());
    }

    private void store(Store store) {
        members(store.members());
        slot(store.slot());
        acknowledgements(store.acknowledgements());
        leaseProbe(store.leaseProbe());
        token(store.highestToken());
        flags(store.disagreed());
    }

    private void player(Player player) {
        add(player.traits.likeness());
        add(likeness(player));
        flags(
                player.started,
                player.leaving,
                player.closed,
                player.dead,
                player.paused,
                player.disturbed,
                player.collecting,
                player.collected,
                player.reachable,
                player.connected,
                player.ready,
                player.sessionLives);
        session(player.session);
        time(player.isHeard() ? world.now() : player.silentSince, world.now());
        add(player.strays.size());
        player.strays.forEach(this::request);
        messages(player.up);
        if (player.isRunning()) {
            mind(player, player.localTime(world.now()));
            messages(player.down);
        }
    }

    /**
     * Returns the traits that distinguish an instance: the kinds of events that may affect it, and whether another one has its
     * id.
     */
    private long likeness(Player player) {
        Scope scope = world.scope();
        long all = 0;
        for (Event.Kind kind : Event.Kind.values()) {
            boolean may = world.left(kind) > 0 && scope.allows(kind, player.index);
            all = all << 1 | (may ? 1 : 0);
        }
        boolean sameId = scope.traits().stream()
                        .filter(each -> each.instanceId().equals(player.traits.instanceId()))
                        .count()
                > 1;
        return sameId ? -all - 1 : all;
    }

    private void mind(Player player, long now) {
        time(player.validUntil, now);
        time(player.wakeAt, now);
        node(player.standingDown);
        node(player.lastNode);
        times(player.underWay, now);
        times(player.rests, now);
        listener(player.listener);
        flags(player.shown.isPresent(), player.leaseProbe.isPresent());
        if (player.traits.isBlind()) {
            player.shown.ifPresent(this::snapshot);
        }
        player.leaseProbe.ifPresent(this::leaseProbe);
        knowledge(player.knowledge, now);
        state(player.state, now);
    }

    private void times(Map<Class<? extends Request>, Long> times, long now) {
        for (Class<? extends Request> kind : KINDS) {
            Long time = times.get(kind);
            if (time == null) {
                add(UNKNOWN);
            } else {
                time(time, now);
            }
        }
    }

    /** Adds the view on which the listener acts and the previous one, which L5 checks. */
    private void listener(Listener listener) {
        flags(listener.toldChanging(), listener.changed(), listener.running());
        number(listener.told());
        number(listener.current());
        if (listener.acts()) {
            EstablishedView told = world.store().views().get(listener.told());
            view(told);
            Optional.ofNullable(world.store().views().get(told.previous()))
                    .ifPresent(before -> incarnations(before.members()));
        }
    }

    private void knowledge(Knowledge knowledge, long now) {
        Observations known = knowledge.read();
        session(known.link().session());
        add(known.link().timeoutMillis());
        flags(known.link().usable(), known.snapshot().isPresent());
        known.snapshot().ifPresent(this::snapshot);
        Facts facts = known.facts(List.of(), Set.of(), Facts.Intent.NONE, 0);
        Confirmations confirmations = facts.confirmations();
        time(confirmations.renewed(), now);
        time(confirmations.leaseProbed(), now);
        time(confirmations.any(), now);
        number(known.highest());
        flags(knowledge.renewals().isPresent(), knowledge.acknowledged().isPresent());
        knowledge.renewals().ifPresent(count -> {
            renewals(count);
            time(facts.seen().renewalsSince(), now);
        });
        knowledge.acknowledged().ifPresent(this::request);
    }

    private void state(Settling state, long now) {
        flags(state instanceof Settling.Settled, state.last().isPresent());
        state.last().ifPresent(this::held);
        if (state instanceof Settling.Changing changing) {
            time(changing.since(), now);
            number(changing.acknowledged());
            flags(changing.progress().isPresent());
            changing.progress().ifPresent(progress -> progress(progress, now));
            flags(changing.idleLead().isPresent());
            changing.idleLead().ifPresent(lead -> {
                number(lead.number());
                time(lead.since(), now);
            });
        }
    }

    private void held(HeldView held) {
        node(held.self());
        view(held.view());
    }

    private void progress(ChangeProgress progress, long now) {
        number(progress.number());
        time(progress.since(), now);
        add(progress.candidates().size());
        progress.candidates().forEach(this::node);
        time(progress.candidatesSince(), now);
        time(progress.readySince().orElse(Long.MAX_VALUE), now);
    }
}
