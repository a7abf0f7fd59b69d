// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Begun;
import io.github.discoveryzk.it.chaos.recorder.Entry.Ended;
import io.github.discoveryzk.it.chaos.recorder.Entry.Progressed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Published;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.it.chaos.recorder.Entry.Worked;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges which process worked on which key, and when, by the recordings of the workers. A worker works until its {@code end} has returned, or as
 * long as its ownership is held if its member node has gone. What happens while another client changes the tree is left out.
 */
final class WorkChecker {

    /** Within this time before the end of a window each key has an owner. */
    private static final long OWNED_NANOS = 4_000_000_000L;

    /** These take the node of a member whose ownership may be held, or leave its server without knowledge. */
    private static final Set<String> NODE_TAKEN = Set.of("evicted", "killed and evicted", "server parted");

    private final Recording recording;
    private final Laws laws;
    private final List<Begun> begins;
    private final Map<String, Long> ends = new HashMap<>();

    private WorkChecker(Recording recording, Laws laws) {
        this.recording = recording;
        this.laws = laws;
        // One that was not held is that of a process that was paused before it began.
        this.begins = recording.all(Begun.class).stream()
                .filter(each -> each.held() && !isForeign(each.at()))
                .sorted(Comparator.comparingLong(Begun::at))
                .toList();
        recording.all(Ended.class).forEach(each -> ends.put(each.key() + "=" + each.token(), each.at()));
    }

    /** Returns all violations of the laws of work. */
    static List<LawBroken> check(Recording recording) {
        List<LawBroken> broken = new ArrayList<>();
        WorkChecker checker = new WorkChecker(recording, new Laws(broken::add));
        checker.checkOwners();
        checker.checkHeld();
        checker.checkProgress();
        checker.checkPlaces();
        return broken;
    }

    private boolean isForeign(long time) {
        return recording.all(Window.class).stream()
                .anyMatch(window -> window.disturbance().foreign() && window.covers(time));
    }

    private static String name(Begun begun) {
        return begun.key() + "=" + begun.token();
    }

    /** Each owner begins after the end of the one before, unless that one's member node has gone, and with a greater token. */
    private void checkOwners() {
        Map<String, Begun> last = new HashMap<>();
        for (Begun begun : begins) {
            Begun before = last.put(begun.key(), begun);
            if (before == null) {
                continue;
            }
            laws.check(begun.token() > before.token(), Laws.WORKS_TOKEN, () -> begun + " after " + before);
            long end = ends.getOrDefault(name(before), Entry.NEVER);
            laws.check(
                    end <= begun.at() || hasGone(before, begun),
                    Laws.ONE_WORKER,
                    () -> begun + " before the end at " + end + " of " + before);
        }
    }

    /** Says whether a view that was published up to a time lacks the member node of an earlier owner, or the next view after that does. */
    private boolean hasGone(Begun earlier, Begun later) {
        boolean seen = false;
        for (Published view : recording.all(Published.class)) {
            boolean has = view.members().stream().anyMatch(each -> each.startsWith(earlier.node() + "="));
            seen |= has;
            if (seen && !has) {
                return true;
            } else if (view.at() > later.at()) {
                return false;
            }
        }
        return false;
    }

    /** No ownership is held after the begin of the next owner. */
    private void checkHeld() {
        Map<String, TreeMap<Long, Begun>> byKey = new HashMap<>();
        begins.forEach(each ->
                byKey.computeIfAbsent(each.key(), any -> new TreeMap<>()).put(each.token(), each));
        for (Worked worked : recording.all(Worked.class)) {
            for (String held : worked.keys()) {
                String[] words = held.split("=");
                Map.Entry<Long, Begun> next =
                        byKey.getOrDefault(words[0], new TreeMap<>()).higherEntry(Long.valueOf(words[1]));
                laws.check(
                        next == null
                                || worked.at() <= next.getValue().at()
                                || isForeign(worked.at())
                                || isTaken(next.getValue().at()),
                        Laws.ONE_WORKER,
                        () -> worked + " after " + next.getValue());
            }
        }
    }

    private boolean isTaken(long time) {
        return recording.all(Window.class).stream()
                .anyMatch(window -> window.covers(time)
                        && window.disturbance().kinds().stream().anyMatch(NODE_TAKEN::contains));
    }

    /** In the order of the store no earlier owner writes after a later one. */
    private void checkProgress() {
        Map<String, Progressed> last = new HashMap<>();
        recording.all(Progressed.class).stream()
                .filter(each -> each.version() != 0 && !isForeign(each.begun()) && !isForeign(each.at()))
                .sorted(Comparator.comparingLong(Progressed::version))
                .forEach(each -> {
                    Progressed before = last.put(each.key(), each);
                    laws.check(
                            before == null || before.token() <= each.token(),
                            Laws.FENCE,
                            () -> each + " after " + before);
                });
    }

    /** When all are settled, each key has an owner. */
    private void checkPlaces() {
        Set<String> keys = new HashSet<>();
        recording.all(Worked.class).forEach(each -> keys.addAll(names(each)));
        for (Window window : recording.all(Window.class)) {
            if (window.settled() != Entry.NEVER && !window.disturbance().kinds().isEmpty()) {
                Set<String> left = new HashSet<>(keys);
                recording.all(Worked.class).stream()
                        .filter(each -> each.at() <= window.end() && each.at() >= window.end() - OWNED_NANOS)
                        .forEach(each -> left.removeAll(names(each)));
                laws.check(left.isEmpty(), Laws.LIVE_WORK, () -> left + " have no owner after " + window);
            }
        }
    }

    private static List<String> names(Worked worked) {
        return worked.keys().stream().map(each -> each.split("=")[0]).toList();
    }
}
