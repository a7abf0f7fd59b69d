// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.settle.Settling;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * The store, all instances and what is on the way between them at one moment. {@link #after} makes another one; the parts that
 * are the same are shared.
 */
final class World implements Cloneable {

    private final Scope scope;
    private boolean prompt;
    private Narrator narrator = Narrator.SILENT;
    private long now;
    private Store store = Store.empty();
    private List<Player> players = new ArrayList<>();
    private int[] left = new int[Event.Kind.values().length];
    private long lastSession;
    private long usedToken;

    private World(Scope scope) {
        this.scope = scope;
        for (Scope.Traits traits : scope.traits()) {
            players.add(new Player(players.size(), traits));
        }
    }

    /** Returns the world in which a scope begins: the first instances have settled. */
    static World of(Scope scope) {
        World world = new World(scope);
        world.prompt = true;
        for (int index = 0; index < scope.settled(); index++) {
            world.left[Event.Kind.START.ordinal()] = 1;
            world = world.after(new Event(Event.Kind.START, index)).calm();
        }
        world.prompt = false;
        for (Event event : scope.prologue()) {
            Arrays.fill(world.left, 1);
            world = world.after(event).calm();
        }
        World ready = world.copy();
        Arrays.fill(ready.left, 0);
        scope.times().forEach((kind, often) -> ready.left[kind.ordinal()] = often);
        return ready;
    }

    /** Has all happen that happens by itself at once, and returns what comes of it. */
    World calm() {
        World world = this;
        for (Event next = world.prompt(); next != null; next = world.prompt()) {
            world = world.after(next);
        }
        return world;
    }

    /** Returns this world with nothing disturbing any more. */
    World undisturbed() {
        World world = copy();
        world.prompt = true;
        Arrays.fill(world.left, 0);
        for (Player player : world.players) {
            Player own = world.own(player.index);
            own.strays = List.of();
            if (own.isRunning() && own.paused) {
                world.perform(new Event(Event.Kind.RESUME, own.index), own);
            }
            world.own(player.index).reachable = true;
        }
        return world;
    }

    World telling(Narrator other) {
        World world = copy();
        world.narrator = other;
        return world;
    }

    private World copy() {
        try {
            World copy = (World) super.clone();
            copy.players = new ArrayList<>(players);
            copy.left = left.clone();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Player own(int index) {
        Player copy = players.get(index).copy();
        players.set(index, copy);
        return copy;
    }

    Scope scope() {
        return scope;
    }

    Narrator narrator() {
        return narrator;
    }

    long now() {
        return now;
    }

    Store store() {
        return store;
    }

    List<Player> players() {
        return players;
    }

    int[] left() {
        return left;
    }

    long usedToken() {
        return usedToken;
    }

    /** L7: a current leader has the greatest token that any current leader has had. */
    void leads(Player leader) {
        long token = ((Settling.Settled) leader.state).held().view().token();
        if (token < usedToken) {
            throw new LawBroken("L7 Token", leader + " acts with " + token + " after " + usedToken);
        }
        usedToken = token;
    }

    // What can happen

    /** Returns all that can happen next. */
    List<Event> choices() {
        List<Event> all = new ArrayList<>();
        Event next = prompt();
        if (next != null) {
            all.add(next);
        }
        for (Player player : players) {
            disturbances(player, next != null, all);
            if (next == null && !prompt) {
                slow(player, all);
            }
        }
        if (next == null && timePasses()) {
            all.add(Event.TIME);
        }
        return all;
    }

    private void disturbances(Player player, boolean interrupting, List<Event> all) {
        add(all, Event.Kind.START, player, interrupting, this::isNext);
        add(all, Event.Kind.LEAVE, player, interrupting, each -> each.isActive() && !each.leaving);
        add(
                all,
                Event.Kind.STAND_DOWN,
                player,
                interrupting,
                each -> each.isActive() && !each.leaving && each.retiring.isEmpty() && each.place.isPresent());
        add(all, Event.Kind.KILL, player, interrupting, Player::isRunning);
        add(all, Event.Kind.CUT, player, interrupting, each -> each.isRunning() && each.reachable);
        add(all, Event.Kind.PAUSE, player, interrupting, Player::isActive);
        add(all, Event.Kind.END_EARLY, player, interrupting, each -> each.sessionLives);
        add(all, Event.Kind.STRAY, player, interrupting, each -> !each.strays.isEmpty() && each.sessionLives);
        boolean now = !interrupting && !prompt;
        if (now && !player.reachable && player.isRunning()) {
            all.add(new Event(Event.Kind.MEND, player.index));
        }
        if (now && player.paused && player.isRunning()) {
            all.add(new Event(Event.Kind.RESUME, player.index));
        }
    }

    private void add(
            List<Event> all, Event.Kind kind, Player player, boolean interrupting, Predicate<Player> possible) {
        boolean allowed = left[kind.ordinal()] > 0
                && (!interrupting || scope.interrupts(kind))
                && scope.allows(kind, player.index)
                && possible.test(player);
        if (allowed) {
            all.add(new Event(kind, player.index));
        }
    }

    /** Those who have not been started are alike, so the first one is started. */
    private boolean isNext(Player player) {
        return !player.started && players.subList(0, player.index).stream().allMatch(each -> each.started);
    }

    private void slow(Player player, List<Event> all) {
        if (player.traits.slowListener() && mayReturn(player)) {
            all.add(new Event(Event.Kind.RETURN, player.index));
        }
        if (player.traits.slowNet()) {
            for (Event.Kind kind : BY_ITSELF) {
                if (kind != Event.Kind.RETURN && kind != Event.Kind.EXPIRE && may(kind, player)) {
                    all.add(new Event(kind, player.index));
                }
            }
            if (hasNewer(player)) {
                all.add(new Event(Event.Kind.DELIVER_NEWEST, player.index));
            }
        }
        if (scope.isExpiryLate() && mayExpire(player)) {
            all.add(new Event(Event.Kind.EXPIRE, player.index));
        }
    }

    private static final List<Event.Kind> BY_ITSELF = List.of(
            Event.Kind.WAKE,
            Event.Kind.RETURN,
            Event.Kind.ARRIVE,
            Event.Kind.DELIVER,
            Event.Kind.CONNECT,
            Event.Kind.EXPIRE);

    /** Returns what happens by itself at once, or null. */
    Event prompt() {
        for (Event.Kind kind : BY_ITSELF) {
            for (Player player : players) {
                if (isPrompt(kind, player) && may(kind, player)) {
                    return new Event(kind, player.index);
                }
            }
        }
        return null;
    }

    private boolean isPrompt(Event.Kind kind, Player player) {
        if (prompt) {
            return true;
        }
        return switch (kind) {
            case RETURN -> !player.traits.slowListener();
            case EXPIRE -> !scope.isExpiryLate();
            default -> !player.traits.slowNet();
        };
    }

    private boolean may(Event.Kind kind, Player player) {
        return switch (kind) {
            case WAKE -> player.isActive() && player.wakeAt <= player.localTime(now);
            case RETURN -> mayReturn(player);
            case ARRIVE -> !player.up.isEmpty();
            case DELIVER -> player.isActive() && !player.down.isEmpty();
            case CONNECT -> player.isActive() && player.reachable && !player.connected;
            case EXPIRE -> mayExpire(player);
            default -> false;
        };
    }

    private static boolean mayReturn(Player player) {
        return player.isActive() && player.listener.running();
    }

    private boolean mayExpire(Player player) {
        return player.sessionLives && !player.isHeard() && now >= player.silentSince + Player.TIMEOUT;
    }

    private static boolean hasNewer(Player player) {
        return player.isActive()
                && !player.down.isEmpty()
                && player.down.get(0) instanceof Message.Shown
                && player.down.subList(1, player.down.size()).stream().anyMatch(each -> each instanceof Message.Shown);
    }

    private boolean timePasses() {
        boolean allowed = prompt || !scope.times().containsKey(Event.Kind.TIME) || left[Event.Kind.TIME.ordinal()] > 0;
        return allowed
                && players.stream().noneMatch(player -> may(Event.Kind.WAKE, player))
                && nextDeadline() < Long.MAX_VALUE;
    }

    /** Returns the next time at which anybody has something to do, or at which a session or a lease ends. */
    long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (Player player : players) {
            if (player.isRunning()) {
                long wake = player.paused ? Long.MAX_VALUE : player.globalTime(player.wakeAt);
                long lease = player.globalTime(player.validUntil);
                next = Math.min(next, Math.min(later(wake), later(lease)));
            }
            if (player.sessionLives && !player.isHeard()) {
                next = Math.min(next, later(player.silentSince + Player.TIMEOUT));
            }
        }
        return next;
    }

    private long later(long time) {
        return time > now ? time : Long.MAX_VALUE;
    }

    /** Returns what sets this instance apart from others: which kinds of events may happen to it, and whose id it has. */
    long mayHappenTo(Player player) {
        long all = 0;
        for (Event.Kind kind : Event.Kind.values()) {
            boolean may = left[kind.ordinal()] > 0 && scope.allows(kind, player.index);
            all = all << 1 | (may ? 1 : 0);
        }
        boolean sameId = scope.traits().stream()
                        .filter(each -> each.instanceId().equals(player.traits.instanceId()))
                        .count()
                > 1;
        return sameId ? -all - 1 : all;
    }

    // What happens

    /** Returns the world after that event; laws that break are thrown. */
    World after(Event event) {
        narrator.happens(this, event);
        World next = copy();
        if (event.kind() == Event.Kind.TIME) {
            next.now = nextDeadline();
            next.left[event.kind().ordinal()] = Math.max(0, left[event.kind().ordinal()] - 1);
        } else {
            if (event.kind().isBounded()) {
                next.left[event.kind().ordinal()]--;
            }
            next.perform(event, next.own(event.who()));
        }
        Laws.check(next);
        return next;
    }

    private void perform(Event event, Player player) {
        switch (event.kind()) {
            case START -> player.started = true;
            case LEAVE -> player.leaving = true;
            case STAND_DOWN -> player.retiring = player.place;
            case KILL -> kill(player);
            case CUT -> cut(player);
            case PAUSE -> pause(player);
            case END_EARLY, EXPIRE -> end(player);
            case STRAY -> stray(player);
            case MEND -> player.reachable = true;
            case RESUME -> resume(player);
            case RETURN -> player.listener = player.listener.returned();
            case ARRIVE -> arrive(player);
            case DELIVER, DELIVER_NEWEST -> deliver(player, event.kind() == Event.Kind.DELIVER_NEWEST);
            case CONNECT -> connect(player);
            default -> {}
        }
        boolean decides =
                switch (event.kind()) {
                    case START, LEAVE, STAND_DOWN, RETURN, WAKE -> true;
                    default -> false;
                };
        if (decides) {
            if (event.kind() == Event.Kind.START) {
                player.state = Settling.starting(player.localTime(now));
            }
            new Turn(this, player).decide();
        }
    }

    private void kill(Player player) {
        player.dead = true;
        disconnect(player);
        player.down = List.of();
    }

    private void cut(Player player) {
        player.reachable = false;
        disconnect(player);
    }

    /** What was on the way to the store may still arrive. */
    private void disconnect(Player player) {
        if (player.isHeard() || player.dead && player.connected && !player.paused) {
            player.silentSince = now;
        }
        player.disturbed = true;
        if (player.connected) {
            player.connected = false;
            player.strays = left[Event.Kind.STRAY.ordinal()] == 0
                    ? List.of()
                    : player.up.stream()
                            .filter(each -> each instanceof Message.Ask)
                            .map(each -> ((Message.Ask) each).request())
                            .toList();
            player.up = List.of();
            player.down = List.of(new Message.Lost());
        }
    }

    private void pause(Player player) {
        if (player.isHeard()) {
            player.silentSince = now;
        }
        player.paused = true;
        player.disturbed = true;
    }

    private void resume(Player player) {
        player.paused = false;
    }

    /** The session ends; what its owner was told before is still told. */
    private void end(Player player) {
        player.sessionLives = false;
        player.strays = List.of();
        player.disturbed = true;
        if (player.connected) {
            player.connected = false;
            player.up = List.of();
            player.down = player.closed ? List.of() : Player.plus(player.down, new Message.Lost());
        }
        change(store.ended(player.session));
    }

    private void connect(Player player) {
        boolean expired = player.session != 0 && !player.sessionLives;
        if (!player.sessionLives) {
            lastSession++;
            player.session = lastSession;
            player.sessionLives = true;
        }
        player.connected = true;
        player.collected = player.collecting;
        player.down =
                Player.plus(player.down, new Message.Hello(player.session, expired, store.snapshot(player.collected)));
    }

    private void stray(Player player) {
        Request request = player.strays.get(0);
        player.strays = player.strays.subList(1, player.strays.size());
        execute(request, player.session);
    }

    private void arrive(Player player) {
        Message message = player.up.get(0);
        player.up = player.up.subList(1, player.up.size());
        if (message instanceof Message.Close) {
            end(player);
        } else if (message instanceof Message.Collect collect) {
            player.collected = collect.acknowledgements();
            show(player, new Message.Shown(store.snapshot(player.collected)));
        } else if (message instanceof Message.Ask ask) {
            Store.Executed executed = execute(ask.request(), player.session);
            Player told = players.get(player.index);
            told.down = told.closed
                    ? List.of()
                    : Player.plus(
                            told.down,
                            new Message.Reply(
                                    ask.request(),
                                    executed.outcome(),
                                    ask.request() instanceof Request.Inquire
                                            ? Optional.of(store.inquiry())
                                            : Optional.empty()));
        }
    }

    private Store.Executed execute(Request request, long session) {
        Store.Executed executed = store.execute(request, session);
        change(executed.store());
        return executed;
    }

    /** Tells everybody who is connected; acknowledgements only those who want them. */
    private void change(Store next) {
        Store before = store;
        store = next;
        boolean changed =
                !next.members().equals(before.members()) || !next.slot().equals(before.slot());
        boolean acknowledged = !next.acknowledgements().equals(before.acknowledgements());
        if (!changed && !acknowledged) {
            return;
        }
        Message all = new Message.Shown(next.snapshot(true));
        Message some = new Message.Shown(next.snapshot(false));
        for (int index = 0; index < players.size(); index++) {
            Player player = players.get(index);
            if (player.connected && !player.closed && (changed || player.collected)) {
                show(own(index), player.collected ? all : some);
            }
        }
    }

    private static void show(Player player, Message snapshot) {
        player.down = Player.plus(player.down, snapshot);
    }

    private void deliver(Player player, boolean newest) {
        Message message = player.down.get(0);
        List<Message> rest = player.down.subList(1, player.down.size());
        if (newest) {
            message = rest.stream()
                    .filter(each -> each instanceof Message.Shown)
                    .reduce((earlier, later) -> later)
                    .orElseThrow();
            rest = rest.stream()
                    .filter(each -> !(each instanceof Message.Shown))
                    .toList();
        }
        player.down = rest;
        if (message instanceof Message.Lost) {
            player.ready = false;
        }
        new Turn(this, player).told(message);
    }
}
