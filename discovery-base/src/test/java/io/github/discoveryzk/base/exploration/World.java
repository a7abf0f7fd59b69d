// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.memory.Content;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The store, all instances and the messages in transit at one moment. {@link #after} returns another world; unchanged parts are
 * shared.
 */
final class World implements Cloneable {

    private final Scope scope;
    private Pace pace = Pace.PROMPT;
    private Narrator narrator = Narrator.SILENT;
    private long generation;

    /** The time of the store; no event has the time 0. */
    private long now = 1;

    private Store store = Store.empty();
    private List<Player> players = new ArrayList<>();
    private int[] left = new int[Event.Kind.values().length];
    private long lastSession;
    private long usedToken;

    /** When events that happen by themselves occur. */
    enum Pace {
        /** Immediately. */
        PROMPT,
        /** Immediately, except returns of slow listeners. */
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

    /** Returns the world in which a scope begins: the first instances have settled. Later events are narrated. */
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

    /** Plays all events that happen by themselves immediately, and returns the resulting world. */
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
            own.strays.clear();
            own.paused = false;
            own.reachable = true;
            own.hints = Set.of();
        }
        return world;
    }

    private World copy() {
        try {
            World copy = (World) super.clone();
            copy.players = new ArrayList<>(players);
            copy.left = left.clone();
            copy.generation++;
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns an instance that this world may change. */
    private Player own(int index) {
        Player player = players.get(index);
        if (!player.isOf(generation)) {
            player = player.copy(generation);
            players.set(index, player);
        }
        return player;
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
        return players.stream()
                .flatMapToLong(Player::deadlines)
                .filter(time -> time > now)
                .min()
                .orElse(Long.MAX_VALUE);
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
            case START -> player.start(now);
            case LEAVE -> player.leaving = true;
            case STEP_DOWN -> player.steppingDown = player.lastNode;
            case KILL -> player.kill(now);
            case CUT -> player.cut(now, left(Event.Kind.STRAY) > 0);
            case PAUSE -> player.pause(now);
            case END_EARLY, EXPIRE -> end(player);
            case STRAY -> execute(player.strays.remove(0), player.session);
            case MEND -> player.reachable = true;
            case RESUME -> {
                player.paused = false;
                player.wellSince = now;
            }
            case HINT -> player.hints = store.members().stream()
                    .map(Member::node)
                    .filter(node -> !player.lastNode.equals(Optional.of(node)))
                    .collect(Collectors.toSet());
            case RETRACT -> {
                player.hints = Set.of();
                player.accused = Set.of();
            }
            case RETURN -> player.listener = player.listener.returned();
            case ARRIVE -> arrive(player);
            case DELIVER, DELIVER_NEWEST -> deliver(player, event.kind() == Event.Kind.DELIVER_NEWEST);
            case CONNECT -> connect(player);
            default -> {}
        }
        if (event.kind().decides()) {
            new Turn(this, player).decide();
        }
    }

    /** Ends the session; earlier messages to its owner still arrive. */
    private void end(Player player) {
        player.sessionLives = false;
        player.strays.clear();
        player.disturbed = true;
        if (player.connected) {
            player.connected = false;
            player.up.clear();
            player.hear(new Message.Lost());
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
        player.wellSince = now;
        player.collected = player.collecting;
        player.hear(new Message.Hello(player.session, expired, store.snapshot(player.collected)));
    }

    private void arrive(Player player) {
        Message message = player.up.remove(0);
        if (message instanceof Message.Close) {
            end(player);
        } else if (message instanceof Message.Collect collect) {
            player.collected = collect.acknowledgements();
            player.hear(new Message.Shown(store.snapshot(player.collected)));
        } else if (message instanceof Message.Ask ask) {
            Outcome outcome = execute(ask.request(), player.session);
            boolean probe = ask.request() instanceof Request.ProbeLease;
            player.hear(new Message.Reply(
                    ask.request(), outcome, probe ? Optional.of(store.content().leaseProbe()) : Optional.empty()));
        }
    }

    private Outcome execute(Request request, long session) {
        Store.Executed executed = store.execute(request, session);
        if (request instanceof Request.Convict convict && executed.outcome().status() == Outcome.Status.DONE) {
            Checks.checkVerdict(this, convict.leaveRecord());
        }
        change(executed.store());
        return executed.outcome();
    }

    /** Notifies all connected instances; of acknowledgements, only collectors. */
    private void change(Store next) {
        Store before = store;
        store = next;
        Content is = next.content();
        Content was = before.content();
        boolean changed = !is.members().equals(was.members())
                || !is.slot().equals(was.slot())
                || !is.suspicions().equals(was.suspicions());
        boolean acknowledged = !is.acknowledgements().equals(was.acknowledgements());
        if (!changed && !acknowledged) {
            return;
        }
        Message all = new Message.Shown(next.snapshot(true));
        Message some = new Message.Shown(next.snapshot(false));
        for (Player player : List.copyOf(players)) {
            if (player.connected && !player.closed && (changed || player.collected)) {
                own(player.index).hear(player.collected ? all : some);
            }
        }
    }

    private void deliver(Player player, boolean newest) {
        Message message = player.down.remove(0);
        if (newest) {
            message = player.down.stream()
                    .filter(Message.Shown.class::isInstance)
                    .reduce((earlier, later) -> later)
                    .orElseThrow();
            player.down.removeIf(Message.Shown.class::isInstance);
        }
        new Turn(this, player).receive(message);
    }
}
