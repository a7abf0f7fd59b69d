// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.History.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Consecutive views of the history that belong together, such as a rolling restart. What an episode is follows from what the history says of its
 * views, and nothing else. Times are wall-clock milliseconds since 1970, by the clocks of the publishers.
 *
 * @param kind what happened
 * @param instances the ids of the instances to which it happened, in the order in which it did
 * @param others what else happened in it to which instances; no join, and nothing that the kind says already
 * @param firstView the number of its first view
 * @param lastView the number of its last view
 * @param views how many views it has
 * @param beginMillis when its first change began
 * @param endMillis when its last view was published
 * @param changingMillis how long the cluster was changing in all
 * @param leaderChanges how many of its views have another leader than the view before
 * @param missing the ids of the instances that left in it and had not come back at its end, unless they were stopped
 */
public record Episode(
        Kind kind,
        List<String> instances,
        Map<Kind, List<String>> others,
        long firstView,
        long lastView,
        int views,
        long beginMillis,
        long endMillis,
        long changingMillis,
        int leaderChanges,
        List<String> missing) {

    /** Views that follow within this time belong together. */
    private static final long CLOSE_MILLIS = 60_000;

    /** An instance that comes back within this time, or the next one of a rolling restart, belongs to what was before. */
    private static final long PATIENT_MILLIS = 600_000;

    private static final int MAX_NAMED = 5;
    private static final int OFTEN = 3;

    private static final Set<Kind> RESTARTS = EnumSet.of(Kind.RESTART, Kind.ROLLING_RESTART);
    private static final Set<Kind> HARMLESS = EnumSet.of(Kind.START, Kind.JOIN, Kind.RENEWAL);

    public Episode {
        instances = List.copyOf(instances);
        others = Collections.unmodifiableMap(new TreeMap<>(others));
        missing = List.copyOf(missing);
    }

    /** What can happen. An episode is of the first kind whose criterion it meets. */
    public enum Kind {
        /** A view follows a regressed store. */
        RESTORED("the store was restored"),
        /** An instance left three times or more, and joined in between. */
        CHURN("{} left and joined repeatedly"),
        /** In one view the sessions of several members, and of at least half of all, have ended, and these came back. */
        OUTAGE("outage of the store: the sessions of {} ended"),
        /** A member did not acknowledge within the settle timeout. */
        EXCLUSION("{} excluded: no acknowledgement in time"),
        /** The process of a member ended without a goodbye. */
        CRASH("crash of {}"),
        /** An operator evicted a member. */
        EVICTION("{} evicted"),
        /** A member gave up its seniority. */
        STEP_DOWN("{} stepped down"),
        /** The session of a member ended, or it announced itself again. */
        SESSION_LOST("{} lost the session"),
        /** Several members were stopped and came back. */
        ROLLING_RESTART("rolling restart of {}"),
        /** A member was stopped and came back. */
        RESTART("restart of {}"),
        /** The first view of a cluster. */
        START("start of the cluster: {} joined"),
        /** Members were stopped. */
        STOP("{} stopped"),
        /** Instances joined. */
        JOIN("{} joined"),
        /** The members are the same. */
        RENEWAL("the view was renewed");

        private final String phrase;

        Kind(String phrase) {
            this.phrase = phrase;
        }
    }

    /** Returns the episodes of a history, newest first. */
    public static List<Episode> of(History history) {
        List<Entry> entries = new ArrayList<>(history.entries());
        Collections.reverse(entries);
        List<Course> courses = new ArrayList<>();
        String leader = "";
        for (Entry entry : entries) {
            if (courses.isEmpty() || !courses.get(courses.size() - 1).isContinuedBy(entry)) {
                courses.add(new Course());
            }
            courses.get(courses.size() - 1).add(entry, !leader.isEmpty() && !leader.equals(entry.leader()));
            leader = entry.leader();
        }
        Collections.reverse(courses);
        return courses.stream().map(Course::toEpisode).toList();
    }

    /** Says whether the next restart of a container would belong to this episode, if it is one of restarts. */
    public boolean mayGoOn(long nowMillis) {
        return nowMillis - endMillis <= PATIENT_MILLIS;
    }

    /** Returns the ids of the instances that were stopped in it and came back. */
    public List<String> restarted() {
        return RESTARTS.contains(kind)
                ? instances
                : RESTARTS.stream()
                        .flatMap(each -> others.getOrDefault(each, List.of()).stream())
                        .toList();
    }

    /** Returns the episode as a sentence, with its costs. */
    public String words(InstanceNames names) {
        StringBuilder words = new StringBuilder(kind.phrase.replace("{}", list(instances, names)));
        others.forEach((other, ids) -> words.append("; ").append(other.phrase.replace("{}", list(ids, names))));
        if (leaderChanges > 0) {
            words.append(leaderChanges == 1 ? ", 1 change of leader" : ", " + leaderChanges + " changes of leader");
        }
        words.append(String.format(Locale.ROOT, ", %.1f s changing", changingMillis / 1_000.0))
                .append(views > 1 ? " in all" : "");
        return missing.isEmpty() ? words.toString() : words + "; not back by then: " + list(missing, names);
    }

    private static String list(List<String> ids, InstanceNames names) {
        return ids.size() > MAX_NAMED
                ? ids.size() + " instances"
                : String.join(", ", ids.stream().map(names::label).toList());
    }

    /** An episode up to a view. */
    private static final class Course {
        private final List<Entry> entries = new ArrayList<>();
        private final Map<Kind, Set<String>> concerned = new TreeMap<>();
        private final Map<String, Integer> losses = new HashMap<>();
        private final Set<String> stopped = new LinkedHashSet<>();
        private final Set<String> back = new LinkedHashSet<>();
        private final Set<String> restarted = new LinkedHashSet<>();
        private final Set<String> away = new LinkedHashSet<>();
        private final Set<String> together = new LinkedHashSet<>();

        private int leaderChanges;

        boolean isContinuedBy(Entry entry) {
            Entry last = entries.get(entries.size() - 1);
            long quiet = entry.stored().publishedMillis()
                    - entry.stored().changingMillis()
                    - last.stored().publishedMillis();
            boolean begins = losses.isEmpty() && !lost(entry).isEmpty()
                    || together.isEmpty() && !expiredTogether(entry).isEmpty()
                    || isAnotherLoss(entry)
                    || hasReachedAll() && !lost(entry).isEmpty();
            return !begins
                    && (quiet <= CLOSE_MILLIS
                            || quiet <= PATIENT_MILLIS && (bringsBack(entry) || isNextRestart(entry)));
        }

        /** Says whether it is a restart that is over, because each member was stopped and came back. */
        private boolean hasReachedAll() {
            List<Incarnation> members = entries.get(entries.size() - 1).members();
            return !restarted.isEmpty()
                    && !members.isEmpty()
                    && members.stream().map(Incarnation::instanceId).allMatch(restarted::contains);
        }

        /** Says whether others leave, in another way, after all that left before are back. */
        private boolean isAnotherLoss(Entry entry) {
            Map<String, Kind> lost = lost(entry);
            return away.isEmpty()
                    && !losses.isEmpty()
                    && !lost.isEmpty()
                    && Collections.disjoint(lost.keySet(), losses.keySet())
                    && Collections.disjoint(lost.values(), concerned.keySet());
        }

        private static Map<String, Kind> lost(Entry entry) {
            Map<String, Kind> lost = new LinkedHashMap<>();
            entry.stored().left().forEach(each -> lost.put(each.member().instanceId(), kind(each)));
            entry.stored().late().keySet().forEach(id -> lost.put(id, Kind.EXCLUSION));
            return lost;
        }

        private boolean bringsBack(Entry entry) {
            return joined(entry).stream().anyMatch(away::contains);
        }

        private boolean isNextRestart(Entry entry) {
            return away.isEmpty()
                    && !back.isEmpty()
                    && stopped.containsAll(losses.keySet())
                    && !entry.stored().left().isEmpty()
                    && entry.stored().late().isEmpty()
                    && entry.stored().left().stream().allMatch(each -> kind(each) == Kind.STOP);
        }

        void add(Entry entry, boolean hasNewLeader) {
            entries.add(entry);
            leaderChanges += hasNewLeader ? 1 : 0;
            lost(entry).forEach(this::lose);
            together.addAll(expiredTogether(entry));
            for (String id : joined(entry)) {
                if (away.remove(id)) {
                    back.add(id);
                    if (stopped.contains(id)) {
                        restarted.add(id);
                    }
                } else {
                    note(
                            entry.head().previous() == 0 || concerned.containsKey(Kind.START) ? Kind.START : Kind.JOIN,
                            id);
                }
            }
            if (entry.head().cause().stream().anyMatch(each -> each.code() == ReasonCode.REGRESSED)) {
                concerned.computeIfAbsent(Kind.RESTORED, any -> new LinkedHashSet<>());
            }
        }

        private void lose(String id, Kind kind) {
            note(kind, id);
            away.add(id);
            if (kind == Kind.STOP) {
                stopped.add(id);
            } else {
                stopped.remove(id);
            }
            if (losses.merge(id, 1, Integer::sum) >= OFTEN) {
                note(Kind.CHURN, id);
            }
        }

        private void note(Kind kind, String id) {
            concerned.computeIfAbsent(kind, any -> new LinkedHashSet<>()).add(id);
        }

        /** Returns the members whose sessions ended as in an outage; none if they are too few. */
        private static Set<String> expiredTogether(Entry entry) {
            Set<String> expired = new LinkedHashSet<>();
            entry.stored().left().stream()
                    .filter(each -> kind(each) == Kind.SESSION_LOST)
                    .forEach(each -> expired.add(each.member().instanceId()));
            int before = entry.stored().difference().size()
                    - entry.stored().difference().joined().size()
                    + entry.stored().difference().removed().size();
            return expired.size() > 1 && 2 * expired.size() >= before ? expired : Set.of();
        }

        private static List<String> joined(Entry entry) {
            return entry.stored().difference().joined().stream()
                    .map(Incarnation::instanceId)
                    .toList();
        }

        private static Kind kind(Departure departure) {
            return departure
                    .kind()
                    .map(kind -> switch (kind) {
                        case STOPPED -> Kind.STOP;
                        case STEPPED_DOWN -> Kind.STEP_DOWN;
                        case EVICTED -> Kind.EVICTION;
                        case DIED, CRASHED -> Kind.CRASH;
                        case REPLACED -> Kind.SESSION_LOST;
                    })
                    .orElse(Kind.SESSION_LOST);
        }

        /** Returns the rest, or null if there is none. */
        private static Set<String> without(Set<String> ids, Set<String> said) {
            Set<String> rest = new LinkedHashSet<>(ids);
            rest.removeAll(said);
            return rest.isEmpty() ? null : rest;
        }

        Episode toEpisode() {
            TreeMap<Kind, Set<String>> met = new TreeMap<>(concerned);
            if (!restarted.isEmpty()) {
                met.put(restarted.size() > 1 ? Kind.ROLLING_RESTART : Kind.RESTART, restarted);
            }
            Set<String> returned = new HashSet<>(together);
            returned.removeAll(away);
            if (!together.isEmpty() && returned.size() == together.size()) {
                met.put(Kind.OUTAGE, together);
            }
            // A copy, which stays when the entry is removed.
            Map.Entry<Kind, Set<String>> first = met.isEmpty() ? Map.entry(Kind.RENEWAL, Set.of()) : met.firstEntry();
            met.keySet().removeAll(HARMLESS);
            met.keySet().remove(first.getKey());
            met.computeIfPresent(Kind.STOP, (any, ids) -> without(ids, restarted));
            if (first.getKey() == Kind.OUTAGE) {
                met.computeIfPresent(Kind.SESSION_LOST, (any, ids) -> without(ids, together));
            }
            Map<Kind, List<String>> others = new TreeMap<>();
            met.forEach((kind, ids) -> others.put(kind, List.copyOf(ids)));
            Set<String> missing = new LinkedHashSet<>(away);
            missing.removeAll(stopped);
            Entry begin = entries.get(0);
            Entry end = entries.get(entries.size() - 1);
            return new Episode(
                    first.getKey(),
                    List.copyOf(first.getValue()),
                    others,
                    begin.number(),
                    end.number(),
                    entries.size(),
                    begin.stored().publishedMillis() - begin.stored().changingMillis(),
                    end.stored().publishedMillis(),
                    entries.stream()
                            .mapToLong(each -> each.stored().changingMillis())
                            .sum(),
                    leaderChanges,
                    List.copyOf(missing));
        }
    }
}
