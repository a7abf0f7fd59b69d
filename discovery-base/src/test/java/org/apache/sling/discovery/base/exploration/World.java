// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.memory.Content;

/**
 * The store, all instances and the messages in transit at one moment. {@link #after} returns another world; unchanged parts are
 * shared.
 */
final class World implements Cloneable {

    private final Scope scope;
    private Pace pace = Pace.PROMPT;
    private Narrator narrator = Narrator.SILENT;
    private long now;
    private Store store = Store.empty();
    private List<Player> players = new ArrayList<>();
    private int[] left = new int[Event.Kind.values().length];
    private long lastSession;
    private long usedToken;

    /** When events that happen by themselves occur. */
    enum Pace {
        /** All at once. */
        PROMPT,
        /** All at once except returns of slow listeners. */
        REHEARSED,
        /** As the scope says. */
        FREE
    }

    private World(Scope scope) {
        this.scope = scope;
        for (Scope.Traits traits : scope.traits) {
            players.add(new Player(players.size(), traits));
        }
    }

    /** Returns the world in which a scope begins: the first instances have settled. */
    static World of(Scope scope) {
        return of(scope, Narrator.SILENT);
    }

    /** Returns the same and narrates the events after the first instances have settled. */
    static World of(Scope scope, Narrator narrator) {
        World world = new World(scope);
        for (int index = 0; index < scope.settled; index++) {
            world.left[Event.Kind.START.ordinal()] = 1;
            world = world.after(new Event(Event.Kind.START, index)).calm();
        }
        world.pace = Pace.REHEARSED;
        world.narrator = narrator;
        for (Scope.Step step : scope.prologue) {
            do {
                Arrays.fill(world.left, 1);
                world = world.after(step.event());
                world = step.calm() ? world.calm() : world;
            } while (world.now < step.until());
        }
        World ready = world.copy();
        Arrays.fill(ready.left, 0);
        ready.pace = Pace.FREE;
        scope.times.forEach((kind, often) -> ready.left[kind.ordinal()] = often);
        return ready;
    }

    /** Plays all events that happen by themselves at once, and returns the resulting world. */
    World calm() {
        World world = this;
        for (Event next = world.prompt(); next != null; next = world.prompt()) {
            world = world.after(next);
        }
        return world;
    }

    /** Returns this world without further disturbances. */
    World undisturbed() {
        World world = copy();
        world.pace = Pace.PROMPT;
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

    Pace pace() {
        return pace;
    }

    /** Returns how often events of that kind can still happen. */
    int left(Event.Kind kind) {
        return left[kind.ordinal()];
    }

    /** Returns all possible next events. */
    List<Event> choices() {
        return new Choices(this).all();
    }

    private Event prompt() {
        return new Choices(this).prompt();
    }

    long usedToken() {
        return usedToken;
    }

    /** L7: a current leader has the greatest token that any current leader has had. */
    void checkToken(Player leader) {
        long token = ((Settling.Settled) leader.state).held().view().token();
        usedToken = Checks.LAWS.acted(leader.toString(), token, usedToken);
    }

    /** Returns the next time at which an instance wakes, or a session or a lease ends. */
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

    /** Returns the world after that event; laws that break are thrown. */
    World after(Event event) {
        narrator.writeEvent(this, event);
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
        Checks.check(next);
        return next;
    }

    private void perform(Event event, Player player) {
        switch (event.kind()) {
            case START -> player.started = true;
            case LEAVE -> player.leaving = true;
            case STAND_DOWN -> player.standingDown = player.lastNode;
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

    /** Ends the connection; messages in transit to the store may still arrive. */
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

    /** Ends the session; earlier messages to its owner still arrive. */
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
                                    ask.request() instanceof Request.ProbeLease
                                            ? Optional.of(store.content().leaseProbe())
                                            : Optional.empty()));
        }
    }

    private Store.Executed execute(Request request, long session) {
        Store.Executed executed = store.execute(request, session);
        change(executed.store());
        return executed;
    }

    /** Notifies all connected instances; of acknowledgements, only collectors. */
    private void change(Store next) {
        Store before = store;
        store = next;
        Content is = next.content();
        Content was = before.content();
        boolean changed = !is.members().equals(was.members()) || !is.slot().equals(was.slot());
        boolean acknowledged = !is.acknowledgements().equals(was.acknowledgements());
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
        new Turn(this, player).receive(message);
    }
}
