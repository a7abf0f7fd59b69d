// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Keeps clusters that change too often from disturbing the listeners of the local cluster, as the quarantine keeps an instance from
 * disturbing the members of its cluster. A cluster whose instances, order or leader have changed too often is shown as it was last until
 * its rest is over. A peer may announce clusters under new ids all the time, and other properties, so all changes together rest too; but only
 * for a short time, because it concerns clusters that are calm.
 *
 * <p>It is used by one thread at a time, {@link #problems} by any.
 */
public final class DampedClusters {

    /** The restart of six instances one by one is tolerated. */
    private static final Quarantine OF_ONE = new Quarantine(12, 300_000, 10_000, 120_000);

    /** Job machinery pauses for about 10 s after a change, also of properties: in such a rest it works for as long. */
    private static final Quarantine OF_ALL = new Quarantine(20, 300_000, 20_000, 20_000);

    /** The changes of so many clusters are counted; all clusters together are always counted. */
    private static final int MAX_COUNTED = 10_000;

    private static final int MAX_NAMED = 5;

    private final Consumer<String> warn;
    private final Changes ofAll = new Changes(OF_ALL);
    private final Map<String, Changes> ofEach = new HashMap<>();
    private Map<String, RemoteCluster> shown = Map.of();
    private Set<String> flapping = Set.of();
    private volatile List<String> problems = List.of();

    /**
     * Begins without clusters.
     *
     * @param warn receives a sentence when a cluster begins to change too often
     */
    public DampedClusters(Consumer<String> warn) {
        this.warn = warn;
    }

    /**
     * Returns the clusters to be shown, in the order of precedence: first those that were shown before.
     *
     * @param found the clusters as they are now, in the order of precedence, each id once
     */
    public List<RemoteCluster> update(List<RemoteCluster> found, long now) {
        Map<String, RemoteCluster> known = new LinkedHashMap<>();
        found.forEach(each -> known.put(each.id(), each));
        // Of clusters with the same instance the first one has it: another order would be a change of both.
        Set<String> ids = new LinkedHashSet<>(shown.keySet());
        ids.addAll(known.keySet());
        boolean free = ofAll.isFree(now);
        Map<String, RemoteCluster> next = new LinkedHashMap<>();
        for (String id : ids) {
            RemoteCluster is = known.get(id);
            RemoteCluster was = shown.get(id);
            boolean structure = is == null || was == null || !isSameStructure(was, is);
            if (structure || !was.sameContent(is)) {
                if (!free || structure && !ofEach(id).isFree(now)) {
                    is = was;
                } else {
                    count(is == null ? was : is, structure, now);
                }
            }
            if (is != null) {
                next.put(id, is);
            }
        }
        shown = next;
        ofEach.values().removeIf(each -> each.isEmpty(now));
        name(now);
        return List.copyOf(next.values());
    }

    private void count(RemoteCluster changed, boolean structure, long now) {
        ofAll.add(now, changed);
        if (structure) {
            ofEach(changed.id()).add(now, changed);
        }
    }

    private Changes ofEach(String id) {
        return ofEach.size() < MAX_COUNTED
                ? ofEach.computeIfAbsent(id, any -> new Changes(OF_ONE))
                : ofEach.getOrDefault(id, new Changes(OF_ONE));
    }

    private static boolean isSameStructure(RemoteCluster one, RemoteCluster other) {
        return one.leader().equals(other.leader()) && one.instanceIds().equals(other.instanceIds());
    }

    private void name(long now) {
        Set<String> names = new LinkedHashSet<>();
        counted().filter(each -> each.isTooMuch(now)).forEach(each -> names.add(each.name));
        String sentence = names.isEmpty()
                ? ""
                : "clusters elsewhere change too often, so their changes are shown up to "
                        + OF_ONE.longestRestMillis() / 1_000 + " s late: "
                        + String.join(", ", names.stream().limit(MAX_NAMED).toList())
                        + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "");
        if (!flapping.containsAll(names)) {
            warn.accept(sentence);
        }
        flapping = names;
        problems = sentence.isEmpty() ? List.of() : List.of(sentence);
    }

    private Stream<Changes> counted() {
        return Stream.concat(ofEach.values().stream(), Stream.of(ofAll));
    }

    /** Says whether {@link #update} may return others, or problems be over, although nothing changes. */
    public boolean isPending(long now) {
        return counted().anyMatch(each -> each.isTooMuch(now));
    }

    /** Returns which clusters change too often, in words. */
    public List<String> problems() {
        return problems;
    }

    /** The changes within the window of a rule, and the cluster that has to do with them. */
    private static final class Changes {
        private final Quarantine rule;
        private final List<Long> times = new ArrayList<>();
        private String name = "";

        Changes(Quarantine rule) {
            this.rule = rule;
        }

        void add(long now, RemoteCluster cluster) {
            if (!isTooMuch(now)) {
                List<String> way = cluster.way();
                name = "cluster " + cluster.id() + ", of which " + way.get(0) + " hears from " + way.get(1);
            }
            if (times.isEmpty() || last() < now) {
                times.add(now);
            }
        }

        boolean isEmpty(long now) {
            times.removeIf(each -> now - each >= rule.windowMillis());
            return times.isEmpty();
        }

        boolean isTooMuch(long now) {
            return !isEmpty(now) && times.size() > rule.tolerated();
        }

        boolean isFree(long now) {
            return isEmpty(now) || now >= last() + rule.restMillis(times.size());
        }

        private long last() {
            return times.get(times.size() - 1);
        }
    }
}
