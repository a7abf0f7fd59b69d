// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.Observations;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.laws.View;
import io.github.discoveryzk.testing.memory.Content;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Condenses a world to 128 bits that are equal for worlds with the same future: times are relative to now, numbers to those in
 * the store, nodes and sessions are named by the order of their appearance, alike instances are put into one order. Times before
 * {@link #LONG_AGO} are equal. What the fields of records mean follows from their names; a name that is not known here is an
 * error, because the explorer would merge different states.
 */
final class Fingerprint {

    private static final long LONG_AGO = -5_000;
    private static final long OLD = 20;
    private static final long UNKNOWN = 1L << 40;

    /** What the value of a field means. */
    private enum Meaning {
        PLAIN("sessionTimeoutMillis timeoutMillis acknowledgements expired steppedDown usable disagreed"),
        NUMBER("number previous invalidatedUpTo acknowledged highest"),
        TOKEN("token"),
        VERSION("version expectedVersion slotVersion"),
        RENEWALS("renewals"),
        NODE("node self by candidates excluded"),
        SESSION("session suspicions"),
        TIME(
                "calmSince suspectingSince since candidatesSince readySince leaseProbedBefore renewed leaseProbed any renewalsSince"),
        PRESENCE("waitingFor"),
        NESTED(
                "head record process leaveRecord leaveRecords renewal next heard view members held last progress idleLead slot"
                        + " leaseProbe request outcome snapshot kind suspicion live readable unreadable link confirmations content chain Observations.acknowledged"),
        /** For display only, constant in all scopes, or a consequence of the rest. */
        IGNORED(
                "seniority createdMillis formats format instanceId properties leaderSinceMillis afterMillis cause publisher stamp recorded"
                        + " entry why clusterId problem problems history transaction created own longestMillis renewedMillis"
                        + " outageOver lastReply LeaseProbe.last HeldView.members Observations.candidates");

        private static final Map<String, Meaning> BY_NAME = new HashMap<>();

        private final List<String> names;

        static {
            Stream.of(values()).forEach(meaning -> meaning.names.forEach(name -> BY_NAME.put(name, meaning)));
        }

        Meaning(String names) {
            this.names = List.of(names.split(" "));
        }

        static Meaning of(Field field) {
            String type = field.getDeclaringClass().getSimpleName();
            Meaning meaning = BY_NAME.getOrDefault(type + "." + field.getName(), BY_NAME.get(field.getName()));
            if (meaning == null) {
                throw new IllegalStateException("the explorer does not know " + field);
            }
            return meaning;
        }
    }

    /** The two halves of a fingerprint. */
    record Bits(long one, long two) {}

    private static final Map<Field, Meaning> MEANINGS = new ConcurrentHashMap<>();

    private final World world;
    private final int[] positions;
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Map<Long, Integer> sessions = new HashMap<>();
    private final long number;
    private final long version;
    private final long renewals;
    private long now;
    private long one = 0x243F6A8885A308D3L;
    private long two = 0x13198A2E03707344L;

    private Fingerprint(World world) {
        Content content = world.store().content();
        this.world = world;
        positions = new int[world.players().size()];
        number = world.store().number();
        version = content.slot().version();
        renewals = content.leaseProbe().renewals();
    }

    static Bits of(World world) {
        Fingerprint print = new Fingerprint(world);
        print.addWorld();
        return new Bits(finish(print.one), finish(print.two));
    }

    private static long finish(long value) {
        long mixed = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        return mixed ^ mixed >>> 33;
    }

    private void addWorld() {
        for (Event.Kind kind : Event.Kind.values()) {
            add(world.left(kind));
        }
        List<Player> order = new ArrayList<>(world.players());
        order.sort(Comparator.comparingLong(Fingerprint::rank));
        for (int position = 0; position < order.size(); position++) {
            positions[order.get(position).index] = position;
        }
        all(world.store());
        single(world.usedToken(), Meaning.TOKEN);
        order.forEach(this::player);
    }

    /** Ranks by the seniority of its node and a few simple facts. */
    private static long rank(Player player) {
        long seniority = player.lastNode.map(Store::seniority).orElse(1_000);
        long rank = player.started ? seniority : 2_000;
        rank = rank * 4 + (player.dead ? 2 : 0) + (player.closed ? 1 : 0);
        rank = rank * 16 + Math.min(15, player.up.size());
        return rank * 16 + Math.min(15, player.down.size());
    }

    private void player(Player player) {
        add(player.traits.likeness());
        add(likeness(player));
        flags(player.started, player.leaving, player.closed, player.dead, player.paused, player.disturbed);
        flags(player.collecting, player.collected, player.reachable, player.connected, player.ready);
        flags(player.sessionLives);
        single(player.session, Meaning.SESSION);
        now = world.now();
        single(player.isHeard() ? world.now() : player.silentSince, Meaning.TIME);
        flags(player.wellSince >= world.now());
        all(player.strays);
        all(player.up);
        if (player.isRunning()) {
            now = player.localTime(world.now());
            mind(player);
            all(player.down);
        }
    }

    /** Returns the kinds of events that may affect an instance, and whether another one has its id. */
    private long likeness(Player player) {
        Scope scope = world.scope();
        long all = 0;
        for (Event.Kind kind : Event.Kind.values()) {
            boolean may = world.left(kind) > 0 && scope.allows(kind, player.index);
            all = all << 1 | (may ? 1 : 0);
        }
        long namesakes = scope.traits.stream()
                .filter(each -> each.instanceId.equals(player.traits.instanceId))
                .count();
        return namesakes > 1 ? -all - 1 : all;
    }

    private void mind(Player player) {
        single(player.validUntil, Meaning.TIME);
        single(player.wakeAt, Meaning.TIME);
        add(player.steppingDown, Meaning.NODE);
        add(player.lastNode, Meaning.NODE);
        add(player.hints, Meaning.NODE);
        add(player.accused, Meaning.NODE);
        add(player.underWay, Meaning.TIME);
        add(player.rests, Meaning.TIME);
        listener(player.listener);
        add(player.shown, player.traits.isBlind() ? Meaning.NESTED : Meaning.PRESENCE);
        all(player.leaseProbe);
        all(player.observations);
        all(player.state);
    }

    /** Adds the view on which the listener acts and the previous one, which L5 checks. */
    private void listener(Listener listener) {
        flags(
                listener.heard().isChanging(),
                listener.changed(),
                listener.heard().running());
        single(listener.heard().number(), Meaning.NUMBER);
        single(listener.current(), Meaning.NUMBER);
        if (listener.heard().acts()) {
            Chain chain = world.store().chain();
            View acting = chain.view(listener.heard().number()).orElseThrow();
            seats(acting);
            chain.view(acting.previous()).ifPresent(this::seats);
        }
    }

    private void seats(View view) {
        add(view.members().stream().map(View.Seat::node).toList(), Meaning.NODE);
    }

    private void add(long value) {
        one = Long.rotateLeft((one ^ value) * 0x9E3779B97F4A7C15L, 29);
        two = Long.rotateLeft((two + value) * 0xC2B2AE3D27D4EB4FL, 31) ^ value;
    }

    private void flags(boolean... flags) {
        long all = 1;
        for (boolean flag : flags) {
            all = all << 1 | (flag ? 1 : 0);
        }
        add(all);
    }

    /** Adds an object with all that it refers to. */
    private void all(Object value) {
        add(value, Meaning.NESTED);
    }

    private void add(Object value, Meaning meaning) {
        if (value instanceof Optional<?> optional) {
            flags(optional.isPresent());
            if (meaning != Meaning.PRESENCE) {
                optional.ifPresent(present -> add(present, meaning));
            }
        } else if (value instanceof OptionalLong optional) {
            flags(optional.isPresent());
            optional.ifPresent(present -> single(present, meaning));
        } else if (value instanceof Map<?, ?> map) {
            add(map.size());
            map.entrySet().stream()
                    .sorted(Comparator.comparing(each -> each.getKey().toString()))
                    .forEach(each -> {
                        add(each.getKey(), Meaning.SESSION);
                        add(each.getValue(), meaning);
                    });
        } else if (value instanceof Collection<?> many) {
            add(many.size());
            Stream<?> each = many instanceof Set
                    ? many.stream().sorted(Comparator.comparingInt(Fingerprint::order))
                    : many.stream();
            each.forEach(element -> add(element, meaning));
        } else {
            object(value, meaning);
        }
    }

    private void object(Object value, Meaning meaning) {
        if (value instanceof Outcome outcome) {
            add(outcome.status().ordinal());
        } else if (value instanceof Chain chain) {
            single(chain.highestToken(), Meaning.TOKEN);
        } else if (value instanceof ProcessInfo process) {
            String runtimeId = process.runtimeId();
            add(positions[Integer.parseInt(runtimeId, "run-".length(), runtimeId.length(), 10)]);
        } else if (value instanceof Class<?> type) {
            add(type.getName().hashCode());
        } else if (value instanceof Record || value instanceof Observations) {
            add(value.getClass().getName().hashCode());
            for (Field field : Fields.of(value.getClass())) {
                Meaning ofField = MEANINGS.computeIfAbsent(field, Meaning::of);
                if (ofField != Meaning.IGNORED) {
                    add(Fields.read(field, value), ofField);
                }
            }
        } else if (value instanceof String node) {
            add(nodes.computeIfAbsent(node, any -> nodes.size()));
        } else if (value instanceof Enum<?> constant) {
            add(constant.ordinal());
        } else {
            single(value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue(), meaning);
        }
    }

    /** Adds a value; 0 stands for an unknown number or time, and for no session. A leader may keep its token over many views. */
    private void single(long value, Meaning meaning) {
        switch (meaning) {
            case NUMBER -> add(value == 0 ? UNKNOWN : Math.max(-OLD, value - number));
            case TOKEN -> add(Math.max(-OLD, value - number));
            case VERSION -> add(Math.max(-OLD, value - version));
            case RENEWALS -> add(Math.max(-OLD, value - renewals));
            case SESSION -> add(value == 0 ? -1 : sessions.computeIfAbsent(value, any -> sessions.size()));
            case TIME -> add(value == 0 || value > now + UNKNOWN ? UNKNOWN : Math.max(LONG_AGO, value - now));
            case PLAIN -> add(value);
            default -> throw new IllegalStateException(value + " is no " + meaning);
        }
    }

    /** Sets are ordered by the seniority of the nodes that they are about. */
    private static int order(Object element) {
        return Store.seniority(
                element instanceof Acknowledgement one
                        ? one.node()
                        : element instanceof LeaveRecord leaveRecord
                                ? leaveRecord.node()
                                : element instanceof Suspicion suspicion ? suspicion.node() : (String) element);
    }
}
