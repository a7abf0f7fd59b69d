// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.exploration.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/** The possible next events of a world. */
final class Choices {

    /** Events that happen by themselves, in the order in which they happen where there is no choice. */
    private static final List<Kind> BY_ITSELF =
            List.of(Kind.WAKE, Kind.RETURN, Kind.ARRIVE, Kind.DELIVER, Kind.CONNECT, Kind.EXPIRE);

    private final World world;
    private final Scope scope;
    private final World.Pace pace;

    Choices(World world) {
        this.world = world;
        this.scope = world.scope();
        this.pace = world.pace();
    }

    /** Returns all possible next events. */
    List<Event> all() {
        List<Event> all = new ArrayList<>();
        Event next = prompt();
        if (next != null) {
            all.add(next);
        }
        for (Player player : world.players()) {
            for (Kind kind : Kind.values()) {
                boolean offered = kind.isBounded()
                        ? isAllowed(kind, player, next != null)
                        : next == null && pace == World.Pace.FREE && isFree(kind, player);
                if (offered && isPossible(kind, player)) {
                    all.add(new Event(kind, player.index));
                }
            }
        }
        if (next == null && timePasses()) {
            all.add(Event.TIME);
        }
        return all;
    }

    /** Returns the next event that happens by itself immediately, or null. */
    Event prompt() {
        for (Kind kind : BY_ITSELF) {
            for (Player player : world.players()) {
                if (isPrompt(kind, player) && isPossible(kind, player)) {
                    return new Event(kind, player.index);
                }
            }
        }
        return null;
    }

    private boolean isAllowed(Kind kind, Player player, boolean interrupting) {
        return world.left(kind) > 0 && (!interrupting || scope.interrupts(kind)) && scope.allows(kind, player.index);
    }

    private boolean isPrompt(Kind kind, Player player) {
        return switch (pace) {
            case PROMPT -> true;
            case REHEARSED -> kind != Kind.RETURN || !player.traits.slowListener;
            case FREE -> !isFree(kind, player);
        };
    }

    /** Says whether an event that happens by itself may take any time. */
    private static boolean isFree(Kind kind, Player player) {
        return switch (kind) {
            case MEND, RESUME, RETRACT -> true;
            case RETURN -> player.traits.slowListener;
            case EXPIRE, TIME -> false;
            default -> player.traits.slowNet;
        };
    }

    private boolean isPossible(Kind kind, Player player) {
        return switch (kind) {
            case START -> isNext(player);
            case LEAVE -> player.isActive() && !player.leaving;
            case STEP_DOWN -> player.isActive()
                    && !player.leaving
                    && player.steppingDown.isEmpty()
                    && player.lastNode.isPresent();
            case KILL -> player.isRunning();
            case CUT -> player.isRunning() && player.reachable;
            case PAUSE -> player.isActive();
            case END_EARLY -> player.sessionLives;
            case STRAY -> !player.strays.isEmpty() && player.sessionLives;
            case MEND -> !player.reachable && player.isRunning();
            case HINT -> player.isActive() && player.lastNode.isPresent() && player.hints.isEmpty();
            case RETRACT -> player.isActive() && !player.hints.isEmpty();
            case RESUME -> player.paused && player.isRunning();
            case WAKE -> player.isActive() && player.wakeAt <= player.localTime(world.now());
            case RETURN -> player.isActive() && player.listener.heard().running();
            case ARRIVE -> !player.up.isEmpty();
            case DELIVER -> player.isActive() && !player.down.isEmpty();
            case DELIVER_NEWEST -> player.isActive() && hasNewer(player.down);
            case CONNECT -> player.isActive() && player.reachable && !player.connected;
            case EXPIRE -> player.sessionLives
                    && !player.isHeard()
                    && world.now() >= player.silentSince + Player.TIMEOUT;
            case TIME -> false;
        };
    }

    /** Says whether the player is the first one that is not started; players that are not started are alike. */
    private boolean isNext(Player player) {
        return !player.started
                && world.players().subList(0, player.index).stream().allMatch(each -> each.started);
    }

    private static boolean hasNewer(List<Message> down) {
        return !down.isEmpty()
                && down.get(0) instanceof Message.Shown
                && down.stream().skip(1).anyMatch(Message.Shown.class::isInstance);
    }

    private boolean timePasses() {
        boolean allowed = pace != World.Pace.FREE || !scope.times.containsKey(Kind.TIME) || world.left(Kind.TIME) > 0;
        return allowed
                && world.players().stream().noneMatch(player -> isPossible(Kind.WAKE, player))
                && world.nextDeadline() < Long.MAX_VALUE;
    }
}
