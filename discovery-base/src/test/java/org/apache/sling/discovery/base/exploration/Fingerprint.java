// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.base.protocol.Observations;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.laws.Chain;
import org.apache.sling.discovery.testing.laws.Listening;
import org.apache.sling.discovery.testing.laws.View;

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
        all(store.members());
        all(store.content().slot());
        add(store.content().acknowledgements().size());
        store.content().acknowledgements().entrySet().stream()
                .sorted(Comparator.comparingLong(Map.Entry::getKey))
                .forEach(each -> {
                    session(each.getKey());
                    node(each.getValue().node());
                    number(each.getValue().number());
                });
        all(store.content().leaseProbe());
        token(store.chain().highestToken());
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
        at(world.now());
        time(player.isHeard() ? world.now() : player.silentSince);
        all(player.strays);
        all(player.up);
        if (player.isRunning()) {
            at(player.localTime(world.now()));
            mind(player);
            all(player.down);
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
        boolean sameId = scope.traits.stream()
                        .filter(each -> each.instanceId.equals(player.traits.instanceId))
                        .count()
                > 1;
        return sameId ? -all - 1 : all;
    }

    private void mind(Player player) {
        time(player.validUntil);
        time(player.wakeAt);
        nodes(player.standingDown);
        nodes(player.lastNode);
        times(player.underWay);
        times(player.rests);
        listener(player.listener);
        flags(player.shown.isPresent());
        if (player.traits.isBlind()) {
            all(player.shown);
        }
        all(player.leaseProbe);
        knowledge(player.knowledge);
        all(player.state);
    }

    private void times(Map<Class<? extends Request>, Long> times) {
        KINDS.forEach(kind -> time(times.getOrDefault(kind, Long.MAX_VALUE)));
    }

    /** Adds the view on which the listener acts and the previous one, which L5 checks. */
    private void listener(Listener listener) {
        Listening heard = listener.heard();
        flags(heard.isChanging(), listener.changed(), heard.running());
        number(heard.number());
        number(listener.current());
        if (heard.acts()) {
            Chain chain = world.store().chain();
            View acting = chain.view(heard.number()).orElseThrow();
            seats(acting);
            chain.view(acting.previous()).ifPresent(this::seats);
        }
    }

    private void seats(View view) {
        nodes(view.members().stream().map(View.Seat::node).toList());
    }

    private void knowledge(Knowledge knowledge) {
        Observations known = knowledge.read();
        session(known.link().session());
        add(known.link().timeoutMillis());
        flags(known.link().usable());
        all(known.snapshot());
        Facts facts = known.facts(List.of(), Set.of(), Facts.Intent.NONE, 0);
        Confirmations confirmations = facts.confirmations();
        time(confirmations.renewed());
        time(confirmations.leaseProbed());
        time(confirmations.any());
        number(known.highest());
        flags(knowledge.renewals().isPresent());
        knowledge.renewals().ifPresent(count -> {
            renewals(count);
            time(facts.seen().renewalsSince());
        });
        all(knowledge.acknowledged());
    }
}
