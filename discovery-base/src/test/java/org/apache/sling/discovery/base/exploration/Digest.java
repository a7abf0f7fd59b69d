// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
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
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome;

/**
 * Condenses the content of the store, the messages in transit and the states of instances to 128 bits: times are relative to now,
 * numbers to those in the store, nodes and sessions are named by the order of their appearance. Times before {@link #LONG_AGO}
 * are equal. What the components of records mean follows from their names; a name that is not known here is an error, because
 * the explorer would merge different states.
 */
class Digest {

    private static final long LONG_AGO = -5_000;
    private static final long OLD = 20;
    static final long UNKNOWN = 1L << 40;

    /** What the value of a component means. */
    private enum Meaning {
        PLAIN("sessionTimeoutMillis acknowledgements expired stoodDown"),
        NUMBER("number previous voidUpTo acknowledged"),
        TOKEN("token"),
        VERSION("version expectedVersion slotVersion"),
        RENEWALS("renewals"),
        NODE("node self by candidates leftOut"),
        SESSION("session"),
        TIME("since candidatesSince readySince leaseProbedBefore"),
        PRESENCE("waitingFor"),
        NESTED(
                "head record process note notes next heard view members held last progress idleLead slot leaseProbe request"
                        + " outcome snapshot kind"),
        /** For display only, constant in all scopes, or a consequence of the rest. */
        IGNORED(
                "seniority createdMillis formats format instanceId properties leaderSinceMillis cause publisher stamp recorded"
                        + " entry why clusterId LeaseProbe.last HeldView.members");

        private static final Map<String, Meaning> BY_NAME = new HashMap<>();

        private final List<String> names;

        static {
            Stream.of(values()).forEach(meaning -> meaning.names.forEach(name -> BY_NAME.put(name, meaning)));
        }

        Meaning(String names) {
            this.names = List.of(names.split(" "));
        }

        static Meaning of(Class<?> type, String name) {
            Meaning meaning = BY_NAME.getOrDefault(type.getSimpleName() + "." + name, BY_NAME.get(name));
            if (meaning == null) {
                throw new IllegalStateException("the explorer does not know " + name + " of " + type);
            }
            return meaning;
        }
    }

    private record Component(Method accessor, Meaning meaning) {

        static List<Component> of(Class<?> type) {
            return Stream.of(type.getRecordComponents())
                    .map(each -> new Component(accessor(each), Meaning.of(type, each.getName())))
                    .filter(each -> each.meaning != Meaning.IGNORED)
                    .toList();
        }

        private static Method accessor(RecordComponent component) {
            component.getAccessor().setAccessible(true);
            return component.getAccessor();
        }

        Object in(Object value) {
            try {
                return accessor.invoke(value);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final Map<Class<?>, List<Component>> COMPONENTS = new ConcurrentHashMap<>();

    private final int[] nodeNames;
    private final long[] sessionNames = new long[64];
    private final long number;
    private final long version;
    private final long renewals;
    private long now;
    private int nodes;
    private int sessions;
    private long one = 0x243F6A8885A308D3L;
    private long two = 0x13198A2E03707344L;

    Digest(Store store) {
        nodeNames = new int[store.content().created() + 2];
        number = store.number();
        version = store.content().slot().version();
        renewals = store.content().leaseProbe().renewals();
    }

    /** Returns the two halves; the second one is never 0. */
    final long[] halves() {
        return new long[] {finish(one), finish(two) | 1};
    }

    private static long finish(long value) {
        long mixed = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        return mixed ^ mixed >>> 33;
    }

    final void add(long value) {
        one = Long.rotateLeft((one ^ value) * 0x9E3779B97F4A7C15L, 29);
        two = Long.rotateLeft((two + value) * 0xC2B2AE3D27D4EB4FL, 31) ^ value;
    }

    final void flags(boolean... flags) {
        long all = 1;
        for (boolean flag : flags) {
            all = all << 1 | (flag ? 1 : 0);
        }
        add(all);
    }

    /** Sets the time to which times are relative from here on. */
    final void at(long time) {
        now = time;
    }

    final void time(long time) {
        add(time > now + UNKNOWN ? UNKNOWN : Math.max(LONG_AGO, time - now));
    }

    final void number(long viewNumber) {
        add(viewNumber == 0 ? UNKNOWN : Math.max(-OLD, viewNumber - number));
    }

    /** Tokens are only compared, and a leader may keep its token over many views. */
    final void token(long token) {
        add(Math.max(-OLD, token - number));
    }

    final void renewals(long count) {
        add(Math.max(-OLD, count - renewals));
    }

    final void node(String node) {
        int seniority = Store.seniority(node);
        if (nodeNames[seniority] == 0) {
            nodeNames[seniority] = ++nodes;
        }
        add(nodeNames[seniority]);
    }

    final void session(long session) {
        int name = 0;
        while (name < sessions && sessionNames[name] != session) {
            name++;
        }
        if (name == sessions) {
            sessionNames[sessions++] = session;
        }
        add(session == 0 ? -1 : name);
    }

    /** Adds an instance; overridden to give alike instances the same digest. */
    void instance(int index) {
        add(index);
    }

    /** Adds a record, or a collection of records, with all that they refer to. */
    final void all(Object value) {
        add(value, Meaning.NESTED);
    }

    /** Adds names of nodes in order. */
    final void nodes(Object names) {
        add(names, Meaning.NODE);
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
        } else if (value instanceof Collection<?> many) {
            add(many.size());
            Stream<?> each =
                    many instanceof Set ? many.stream().sorted(Comparator.comparingInt(Digest::order)) : many.stream();
            each.forEach(element -> add(element, meaning));
        } else if (value instanceof StoreSnapshot snapshot) {
            snapshot(snapshot);
        } else if (value instanceof Outcome outcome) {
            add(outcome.status().ordinal());
        } else if (value instanceof ProcessInfo process) {
            String runtimeId = process.runtimeId();
            instance(Integer.parseInt(runtimeId, "run-".length(), runtimeId.length(), 10));
        } else if (value instanceof Record) {
            add(value.getClass().getName().hashCode());
            for (Component component : COMPONENTS.computeIfAbsent(value.getClass(), Component::of)) {
                add(component.in(value), component.meaning());
            }
        } else if (value instanceof String node) {
            node(node);
        } else if (value instanceof Enum<?> constant) {
            add(constant.ordinal());
        } else {
            single(value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue(), meaning);
        }
    }

    private void single(long value, Meaning meaning) {
        switch (meaning) {
            case NUMBER -> number(value);
            case TOKEN -> token(value);
            case VERSION -> add(Math.max(-OLD, value - version));
            case RENEWALS -> renewals(value);
            case SESSION -> session(value);
            case TIME -> time(value);
            case PLAIN -> add(value);
            default -> throw new IllegalStateException(value + " is no " + meaning);
        }
    }

    /** Sets are ordered by the seniority of the nodes that they are about. */
    private static int order(Object element) {
        return Store.seniority(
                element instanceof Acknowledgement one
                        ? one.node()
                        : element instanceof DepartureNote note ? note.node() : (String) element);
    }

    private void snapshot(StoreSnapshot snapshot) {
        all(snapshot.members());
        nodes(snapshot.unreadable().stream().map(member -> member.node()).toList());
        all(snapshot.slot());
        all(snapshot.acknowledgements());
        all(snapshot.leaseProbe());
    }
}
