// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.base.protocol.Effect;
import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Step;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records what the store does and what instances decide, one line each, in the terms of {@code docs/spec/DiscoveryTrace.tla}:
 * instances, nodes, ids and views are numbers in the order in which they appear. What an instance sees is recorded before its next
 * other line, and of renewals with nothing in between only the last.
 */
final class TraceRecorder {

    private final MemoryEnsemble ensemble;
    private final List<String> lines = new ArrayList<>();
    private final Map<SimulatedInstance, Shadow> shadows = new LinkedHashMap<>();
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Map<Long, Integer> views = new HashMap<>();
    private final Map<String, Shadow> owners = new HashMap<>();
    private final Set<String> live = new HashSet<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> invalidating = new HashSet<>();
    private final Set<Suspicion> suspicions = new HashSet<>();
    private final Set<String> vanished = new TreeSet<>();
    private final Set<Shadow> led = new HashSet<>();
    private boolean awaitingLeaders;
    private long vanishedAt;
    private int renewedBy;
    private Optional<String> unmodelled = Optional.empty();

    TraceRecorder(MemoryEnsemble ensemble) {
        this.ensemble = ensemble;
        ensemble.onMembership(this::compareMembers);
    }

    /** What the specification knows of an instance. */
    private static final class Shadow {
        private final int number;
        private final SimulatedInstance instance;
        private final Map<StoreSnapshot, Long> seenWith = new IdentityHashMap<>();
        private StoreSnapshot lastShown;
        private String node = "";
        private long session;
        private String acknowledging = "";
        private String leaving = "";
        private boolean settled;
        private boolean busy;
        private boolean killed;
        private boolean proven;
        private long seen;
        private long recordedSeen;

        Shadow(int number, SimulatedInstance instance) {
            this.number = number;
            this.instance = instance;
        }
    }

    /** Says that this history has something that the specification does not have. */
    void leaveOut(String why) {
        unmodelled = unmodelled.or(() -> Optional.of(why));
    }

    /** Returns why the specification cannot say anything about this history. */
    Optional<String> unmodelled() {
        return unmodelled;
    }

    int instances() {
        return shadows.size();
    }

    /** Returns the ids of the instances in a first line, and the events, as sequences of TLA+. */
    String text() {
        return shadows.keySet().stream()
                        .map(instance -> ids.get(instance.id).toString())
                        .collect(Collectors.joining(", ", "<<", ">>\n"))
                + String.join("\n", lines);
    }

    void started(SimulatedInstance instance) {
        ids.putIfAbsent(instance.id, ids.size() + 1);
        Shadow shadow = new Shadow(shadows.size() + 1, instance);
        shadows.put(instance, shadow);
        instance.store.onShow(snapshot -> {
            shadow.seenWith.put(shadow.lastShown, instance.store.seen());
            shadow.lastShown = snapshot;
        });
        instance.store.onArrival((request, outcome) -> arrived(shadow, request, outcome));
    }

    /** Records what follows from one decision: what the instance saw, and what it does now. */
    void decided(SimulatedInstance instance, Settling before, Facts facts, Step step) {
        Shadow one = shadows.get(instance);
        flushVanished();
        // Replies count only once all that was shown before them has been taken in.
        facts.store()
                .ifPresent(store -> one.seen =
                        store == one.lastShown ? instance.store.seen() : one.seenWith.getOrDefault(store, 0L));
        if (one.busy
                && before instanceof Settling.Changing
                && facts.activity().delivering().isEmpty()) {
            one.busy = false;
            decision(one, "returned");
        }
        HeldView after = step.state() instanceof Settling.Settled settled ? settled.held() : null;
        if (one.settled && after == null) {
            one.settled = false;
            one.busy = true;
            decision(one, "CHANGING", views.get(before.last().orElseThrow().number()));
        } else if (!one.settled && after != null) {
            shadows.values().forEach(this::flushSeen);
            decision(
                    one,
                    "CHANGED",
                    views.get(after.number()),
                    order(after.view().members()),
                    set(leading()));
            one.settled = true;
            one.busy = false;
        }
        boolean late = !facts.store()
                .flatMap(StoreSnapshot::view)
                .map(EstablishedView::number)
                .equals(ensemble.view().map(EstablishedView::number));
        // All effects follow from what was so before; a publication would not follow from the acknowledgement beside
        // it.
        step.effects().stream()
                .flatMap(effect -> effect instanceof Effect.Ask ask ? Stream.of(ask.request()) : Stream.empty())
                // A publication on an earlier view cannot succeed, whatever it says.
                .filter(request -> !(late && request instanceof Request.Publish))
                .sorted(Comparator.comparing(request -> !(request instanceof Request.Publish)))
                .forEach(request -> asked(one, request));
    }

    /** Records who still leads after a publication was sent: it relies on the end of a lease. */
    void stepped() {
        if (awaitingLeaders) {
            leading().stream().filter(led::add).forEach(one -> decision(one, "leads"));
        }
    }

    private void asked(Shadow one, Request request) {
        if (request instanceof Request.Acknowledge acknowledge) {
            String what = acknowledge.node() + "/" + acknowledge.number();
            if (!one.acknowledging.equals(what)) {
                one.acknowledging = what;
                decision(one, "acknowledges", views.get(acknowledge.number()));
            }
        } else if (request instanceof Request.Publish publish) {
            flushVanished();
            shadows.values().forEach(this::lapse);
            awaitingLeaders = true;
            led.clear();
            shadows.values().forEach(this::flushSeen);
            decision(
                    one,
                    "publishes",
                    order(publish.next().members()),
                    numbers(publish.next().excluded()),
                    publish.renewals().isPresent() ? "TRUE" : "FALSE",
                    set(leading()),
                    views.getOrDefault(publish.next().token(), 0));
        } else if (request instanceof Request.Delete delete
                && delete.node().equals(one.node)
                && (delete.leaveRecord().kind() == Kind.STOPPED
                        || delete.leaveRecord().kind() == Kind.STEPPED_DOWN)
                && !one.leaving.equals(one.node)) {
            one.leaving = one.node;
            decision(one, "leaves");
        }
    }

    /** An instance whose lease is over, or that is dead, does not act, although it has not decided so. */
    private void lapse(Shadow one) {
        killIfDead(one);
        if (one.settled && !one.killed && !one.instance.instance.getTopology().isCurrent()) {
            one.settled = false;
            one.busy = true;
            decision(one, "CHANGING", views.get(Checks.number(one.instance.instance.getTopology())));
        }
    }

    /** The end of a process matters only to those that prove it, so it is recorded late. */
    private void killIfDead(Shadow one) {
        if (!one.killed && one.instance.process.isDead()) {
            one.killed = true;
            add(one, "killed", "");
        }
    }

    private void arrived(Shadow one, Request request, Outcome outcome) {
        if (!outcome.equals(Outcome.DONE)) {
            flushVanished();
            return;
        }
        if (request instanceof Request.Delete delete) {
            deleted(one, delete.leaveRecord());
        } else if (request instanceof Request.Convict convict) {
            String accused = convict.leaveRecord().node();
            vanished.remove(accused);
            suspicions.remove(convict.suspicion());
            keepAcknowledgement(accused);
            write(one, "convicted", nodes.get(accused));
            gone(accused);
        } else {
            flushVanished();
            write(one, request);
        }
    }

    private void write(Shadow one, Request request) {
        if (request instanceof Request.Announce) {
            announced(one);
        } else if (request instanceof Request.Acknowledge acknowledge) {
            boolean counts = acknowledge.number()
                            == ensemble.view().map(EstablishedView::number).orElse(0L)
                    && live.contains(acknowledge.node())
                    && acknowledged.add(acknowledge.node());
            if (counts) {
                check(one, acknowledge.node());
                write(one, "acknowledged");
            }
        } else if (request instanceof Request.Update update) {
            long number = ensemble.view().map(EstablishedView::number).orElse(0L);
            boolean counts = number > 0 && update.record().invalidatedUpTo().orElse(0) >= number;
            if (counts && invalidating.add(update.node())) {
                check(one, update.node());
                write(one, "invalidated");
            }
        } else if (request instanceof Request.Publish publish) {
            acknowledged.clear();
            invalidating.clear();
            views.put(publish.next().number(), views.size() + 1);
            shadows.values().forEach(this::flushSeen);
            write(one, "published", views.get(publish.next().number()), set(leading()));
        } else if (request instanceof Request.Renew) {
            if (renewedBy == one.number) {
                lines.remove(lines.size() - 1);
            } else {
                flushSeen(one);
            }
            add(one, "renewed", ", " + ensemble.transaction());
            renewedBy = one.number;
        } else if (request instanceof Request.Suspect suspect) {
            suspicions.add(suspect.suspicion());
            write(one, "suspected", nodes.get(suspect.suspicion().node()));
        } else if (request instanceof Request.Refute refute && suspicions.remove(refute.suspicion())) {
            write(one, "refuted", nodes.get(refute.suspicion().by()));
        } else if (request instanceof Request.Withdraw withdraw && suspicions.remove(withdraw.suspicion())) {
            write(one, "withdrawn", nodes.get(withdraw.suspicion().node()));
        }
    }

    private void announced(Shadow one) {
        Member created = ensemble.members().stream()
                .filter(member -> member.isOf(one.instance.runtimeId) && !nodes.containsKey(member.node()))
                .findFirst()
                .orElseThrow();
        flushSeen(one);
        loseSession(one);
        nodes.put(created.node(), nodes.size() + 1);
        owners.put(created.node(), one);
        live.add(created.node());
        write(one, "announced", nodes.get(created.node()));
        one.node = created.node();
        one.session = created.session();
    }

    private void loseSession(Shadow one) {
        if (live.contains(one.node)) {
            if (one.session == one.instance.store.session()) {
                leaveOut("two nodes in one session");
            }
            one.node = "";
            decision(one, "loses session");
        }
    }

    /** A request for an earlier node of an instance: the specification loses those with the session. */
    private void check(Shadow one, String node) {
        if (!node.equals(one.node)) {
            leaveOut("a request for an earlier node");
        }
    }

    private void deleted(Shadow one, LeaveRecord leaveRecord) {
        String node = leaveRecord.node();
        if (!vanished.remove(node)) {
            flushVanished();
            return;
        }
        flushVanished();
        Shadow owner = owners.get(node);
        switch (leaveRecord.kind()) {
            case STOPPED, STEPPED_DOWN -> write(one, "left");
            case EVICTED -> {
                keepAcknowledgement(node);
                write(one, "vanished", nodes.get(node));
            }
            case DIED -> {
                killIfDead(owner);
                write(one, "died", nodes.get(node));
                owner.proven = owner.killed;
            }
            default -> {
                if (node.equals(one.node) && one.session == one.instance.store.session()) {
                    write(one, "gave up");
                } else {
                    if (node.equals(one.node)) {
                        loseSession(one);
                    }
                    write(one, "replaced", nodes.get(node));
                }
            }
        }
        gone(node);
    }

    /** An acknowledgement ends with the session, and not with the node; the specification ends both together. */
    private void keepAcknowledgement(String node) {
        if (acknowledged.contains(node)) {
            leaveOut("an acknowledgement that outlives its node");
        }
    }

    private void gone(String node) {
        live.remove(node);
        acknowledged.remove(node);
        invalidating.remove(node);
        suspicions.removeIf(each -> each.node().equals(node) || each.by().equals(node));
    }

    private void compareMembers() {
        Set<String> present = ensemble.members().stream().map(Member::node).collect(Collectors.toSet());
        flushVanished();
        live.stream().filter(node -> !present.contains(node)).forEach(vanished::add);
        vanishedAt = ensemble.transaction();
    }

    /** Records the nodes that have gone with their sessions. */
    private void flushVanished() {
        for (String node : List.copyOf(vanished)) {
            vanished.remove(node);
            Shadow owner = owners.get(node);
            killIfDead(owner);
            add(owner, "vanished", ", " + vanishedAt + ", " + nodes.get(node));
            gone(node);
        }
    }

    private void flushSeen(Shadow one) {
        if (one.seen > one.recordedSeen && !one.killed) {
            one.recordedSeen = one.seen;
            add(one, "sees", ", " + one.seen + ", " + (one.settled ? "TRUE" : "FALSE"));
        }
    }

    private void decision(Shadow one, String event, Object... arguments) {
        flushVanished();
        flushSeen(one);
        add(one, event, arguments(arguments));
    }

    private void write(Shadow one, String event, Object... arguments) {
        if (one.proven) {
            leaveOut("a request that outlives the proof that its sender has ended");
        }
        flushSeen(one);
        add(one, event, ", " + ensemble.transaction() + arguments(arguments));
    }

    private static String arguments(Object... arguments) {
        return Stream.of(arguments).map(each -> ", " + each).collect(Collectors.joining());
    }

    private void add(Shadow one, String event, String arguments) {
        renewedBy = 0;
        lines.add("<<\"" + event + "\", " + one.number + arguments + ">>");
    }

    /** Returns the instances that answer now that they lead and are current. */
    private List<Shadow> leading() {
        return shadows.values().stream()
                .filter(one -> one.instance.isRunning()
                        && one.instance.instance.getTopology().isCurrent()
                        && one.instance
                                .instance
                                .getTopology()
                                .getLocalInstance()
                                .isLeader())
                .toList();
    }

    private static String set(Collection<Shadow> some) {
        return some.stream().map(one -> String.valueOf(one.number)).collect(Collectors.joining(", ", "{", "}"));
    }

    /** Returns the members in their order, as a sequence. */
    private String order(Collection<Incarnation> members) {
        return members.stream()
                .map(member -> String.valueOf(nodes.getOrDefault(member.node(), 0)))
                .collect(Collectors.joining(", ", "<<", ">>"));
    }

    private String numbers(Set<String> names) {
        return names.stream()
                .map(node -> nodes.getOrDefault(node, 0))
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
