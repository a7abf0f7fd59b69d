// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The possible next events of a world. */
final class Choices {

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
            disturbances(player, next != null, all);
            if (next == null && pace == World.Pace.FREE) {
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
                each -> each.isActive() && !each.leaving && each.standingDown.isEmpty() && each.lastNode.isPresent());
        add(all, Event.Kind.KILL, player, interrupting, Player::isRunning);
        add(all, Event.Kind.CUT, player, interrupting, each -> each.isRunning() && each.reachable);
        add(all, Event.Kind.PAUSE, player, interrupting, Player::isActive);
        add(all, Event.Kind.END_EARLY, player, interrupting, each -> each.sessionLives);
        add(all, Event.Kind.STRAY, player, interrupting, each -> !each.strays.isEmpty() && each.sessionLives);
        boolean now = !interrupting && pace == World.Pace.FREE;
        if (now && !player.reachable && player.isRunning()) {
            all.add(new Event(Event.Kind.MEND, player.index));
        }
        if (now && player.paused && player.isRunning()) {
            all.add(new Event(Event.Kind.RESUME, player.index));
        }
    }

    private void add(
            List<Event> all, Event.Kind kind, Player player, boolean interrupting, Predicate<Player> possible) {
        boolean allowed = world.left(kind) > 0
                && (!interrupting || scope.interrupts(kind))
                && scope.allows(kind, player.index)
                && possible.test(player);
        if (allowed) {
            all.add(new Event(kind, player.index));
        }
    }

    /** Says whether the player is the first one that is not started; players that are not started are alike. */
    private boolean isNext(Player player) {
        return !player.started
                && world.players().subList(0, player.index).stream().allMatch(each -> each.started);
    }

    private void slow(Player player, List<Event> all) {
        if (player.traits.slowListener && mayReturn(player)) {
            all.add(new Event(Event.Kind.RETURN, player.index));
        }
        if (player.traits.slowNet) {
            for (Event.Kind kind : BY_ITSELF) {
                if (kind != Event.Kind.RETURN && kind != Event.Kind.EXPIRE && may(kind, player)) {
                    all.add(new Event(kind, player.index));
                }
            }
            if (hasNewer(player)) {
                all.add(new Event(Event.Kind.DELIVER_NEWEST, player.index));
            }
        }
    }

    private static final List<Event.Kind> BY_ITSELF = List.of(
            Event.Kind.WAKE,
            Event.Kind.RETURN,
            Event.Kind.ARRIVE,
            Event.Kind.DELIVER,
            Event.Kind.CONNECT,
            Event.Kind.EXPIRE);

    /** Returns the next event that happens by itself at once, or null. */
    Event prompt() {
        for (Event.Kind kind : BY_ITSELF) {
            for (Player player : world.players()) {
                if (isPrompt(kind, player) && may(kind, player)) {
                    return new Event(kind, player.index);
                }
            }
        }
        return null;
    }

    private boolean isPrompt(Event.Kind kind, Player player) {
        if (pace == World.Pace.PROMPT) {
            return true;
        }
        return switch (kind) {
            case RETURN -> !player.traits.slowListener;
            case EXPIRE -> true;
            default -> pace == World.Pace.REHEARSED || !player.traits.slowNet;
        };
    }

    private boolean may(Event.Kind kind, Player player) {
        return switch (kind) {
            case WAKE -> player.isActive() && player.wakeAt <= player.localTime(world.now());
            case RETURN -> mayReturn(player);
            case ARRIVE -> !player.up.isEmpty();
            case DELIVER -> player.isActive() && !player.down.isEmpty();
            case CONNECT -> player.isActive() && player.reachable && !player.connected;
            case EXPIRE -> mayExpire(player);
            default -> false;
        };
    }

    private static boolean mayReturn(Player player) {
        return player.isActive() && player.listener.heard().running();
    }

    private boolean mayExpire(Player player) {
        return player.sessionLives && !player.isHeard() && world.now() >= player.silentSince + Player.TIMEOUT;
    }

    private static boolean hasNewer(Player player) {
        return player.isActive()
                && !player.down.isEmpty()
                && player.down.get(0) instanceof Message.Shown
                && player.down.subList(1, player.down.size()).stream().anyMatch(each -> each instanceof Message.Shown);
    }

    private boolean timePasses() {
        boolean allowed =
                pace != World.Pace.FREE || !scope.times.containsKey(Event.Kind.TIME) || world.left(Event.Kind.TIME) > 0;
        return allowed
                && world.players().stream().noneMatch(player -> may(Event.Kind.WAKE, player))
                && world.nextDeadline() < Long.MAX_VALUE;
    }
}
