// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Answered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Attempted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Published;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Shown;
import io.github.discoveryzk.it.chaos.recorder.Entry.Window;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges what the processes of a run wrote and saw of shared data between two changes of the tree by other clients. A version is the id
 * of a transaction, so sorting puts the writes of a place into their order, and one pass is enough.
 */
final class DataChecker {

    /** A slow process may show a few times what it already knows to be gone. */
    private static final int TOO_OFTEN = 5;

    private final Recording recording;
    private final Laws laws;
    private final Map<String, Attempted> attempts = new HashMap<>();
    private final Map<String, Answered> answers = new HashMap<>();
    private final List<Shown> shows = new ArrayList<>();

    /** The writes that certainly took effect: the versions of their texts, and their texts by place and version. */
    private final Map<String, Long> versions = new HashMap<>();

    private final Map<String, NavigableMap<Long, String>> effects = new HashMap<>();

    /** The removals that may have taken effect, by place and removed version. */
    private final Map<String, Attempted> removals = new HashMap<>();

    private DataChecker(Recording recording, Laws laws) {
        this.recording = recording;
        this.laws = laws;
    }

    /** Returns all violations of the laws of shared data. What happens while another client changes the tree is left out. */
    static List<LawBroken> check(Recording recording) {
        List<LawBroken> broken = new ArrayList<>();
        Laws laws = new Laws(broken::add);
        NavigableMap<Long, DataChecker> checkers =
                new TreeMap<>(Map.of(Long.MIN_VALUE, new DataChecker(recording, laws)));
        for (Window window : recording.all(Window.class)) {
            if (window.disturbance().foreign()) {
                checkers.put(window.begin(), new DataChecker(recording, new Laws(ignored -> {})));
                checkers.put(window.end(), new DataChecker(recording, laws));
            }
        }
        for (Attempted each : recording.all(Attempted.class)) {
            checkers.floorEntry(each.at()).getValue().attempts.put(each.text(), each);
        }
        for (Answered each : recording.all(Answered.class)) {
            checkers.floorEntry(each.at()).getValue().answers.put(each.text(), each);
        }
        for (Shown each : recording.all(Shown.class)) {
            checkers.floorEntry(each.at()).getValue().shows.add(each);
        }
        checkers.values().forEach(DataChecker::check);
        return broken;
    }

    private void check() {
        attempts.values().forEach(this::collect);
        shows.forEach(shown -> collect(
                shown.place(), shown.version(), shown.texts().get(shown.texts().size() - 1)));
        effects.forEach(this::checkChain);
        checkOrder();
        shows.stream().filter(shown -> shown.place().equals(Entry.LIST)).forEach(this::checkList);
        checkOwners();
    }

    private boolean isAnswered(Attempted attempt, String... results) {
        return attempt != null
                && answers.containsKey(attempt.text())
                && List.of(results).contains(answers.get(attempt.text()).result());
    }

    private void collect(Attempted attempt) {
        boolean done = isAnswered(attempt, "Done");
        if (!attempt.text().startsWith(Entry.REMOVAL) && done) {
            collect(attempt.place(), answers.get(attempt.text()).version(), attempt.text());
        } else if (attempt.text().startsWith(Entry.REMOVAL) && !isAnswered(attempt, "Overtaken", "Refused")) {
            String removed = attempt.place() + attempt.seen();
            Attempted other = done ? removals.put(removed, attempt) : removals.putIfAbsent(removed, attempt);
            laws.check(
                    !done || !isAnswered(other, "Done"),
                    Laws.REGISTER,
                    () -> attempt + " and " + other + " are both Done");
        }
    }

    /** A version has one text, and a text one version, but an owned entry is written again with each membership of its owner. */
    private void collect(String place, long version, String text) {
        Attempted attempt = attempts.get(text);
        String other = effects.computeIfAbsent(place, any -> new TreeMap<>()).put(version, text);
        laws.check(
                other == null || other.equals(text),
                Laws.REGISTER,
                () -> attempt + " and " + attempts.get(other) + " have version " + version);
        Long before = versions.put(text, version);
        laws.check(
                version != 0
                        && (before == null || before == version || place.startsWith(Entry.CLAIMS))
                        && !isAnswered(attempt, "Overtaken", "Refused"),
                Laws.SAID_UNKNOWN,
                () -> attempt + " has version " + version + " and " + before + ", and " + answers.get(text));
    }

    /** Each write replaces the one before it, or nothing after the removal of that; no fence holds in the view of the next leader. */
    private void checkChain(String place, NavigableMap<Long, String> chain) {
        NavigableMap<Long, Published> leaderships = new TreeMap<>();
        recording.all(Published.class).forEach(view -> leaderships.putIfAbsent(view.token(), view));
        long last = 0;
        for (Map.Entry<Long, String> each : chain.entrySet()) {
            long before = last;
            last = each.getKey();
            Attempted write = attempts.get(each.getValue());
            if (write == null) {
                continue;
            }
            Attempted removal = removals.get(place + before);
            laws.check(
                    before == 0
                            || write.seen() == Entry.NEVER
                            || write.seen() == 0 && removal != null
                            || write.seen() == before && !isAnswered(removal, "Done"),
                    Laws.REGISTER,
                    () -> write + " has version " + each.getKey() + " after version " + before + " of "
                            + chain.get(before) + ", removed by " + removal);
            Map.Entry<Long, Published> next = leaderships.higherEntry(write.token());
            laws.check(
                    write.token() == 0
                            || next == null
                            || each.getKey() < next.getValue().transaction(),
                    Laws.FENCE,
                    () -> write + " has version " + each.getKey() + " after " + next.getValue());
        }
    }

    /** Something with a version: what begins after it, and begins with one of its keys, has no smaller version. */
    private record Span(long begin, long end, List<String> keys, long version, Record entry) {}

    private void checkOrder() {
        List<Span> begins = new ArrayList<>();
        for (Attempted each : attempts.values()) {
            Answered answer = answers.get(each.text());
            if (answer != null && answer.version() != 0) {
                List<String> keys = List.of(each.place(), each.process() + each.place());
                begins.add(new Span(each.at(), answer.at(), keys, answer.version(), each));
            }
        }
        for (Shown each : shows) {
            List<String> keys = List.of(each.process() + each.place());
            begins.add(new Span(each.at(), each.at(), keys, each.version(), each));
        }
        List<Span> ends = new ArrayList<>(begins);
        begins.sort(Comparator.comparingLong(Span::begin));
        ends.sort(Comparator.comparingLong(Span::end));
        Map<String, Span> newest = new HashMap<>();
        int next = 0;
        for (Span span : begins) {
            for (; ends.get(next).end() < span.begin(); next++) {
                for (String key : ends.get(next).keys()) {
                    newest.merge(key, ends.get(next), (one, other) -> one.version() > other.version() ? one : other);
                }
            }
            Span before = newest.getOrDefault(span.keys().get(0), span);
            boolean own = before.entry() instanceof Attempted && span.entry() instanceof Shown;
            laws.check(
                    before.version() <= span.version(),
                    own ? Laws.OWN_WRITES : Laws.REGISTER,
                    () -> span + " is after " + before);
        }
    }

    /** A list has the last appends in their order. Some of unknown result may be in between. */
    private void checkList(Shown shown) {
        NavigableMap<Long, String> chain = effects.get(shown.place());
        Set<String> known = new HashSet<>();
        long last = 0;
        for (String text : shown.texts()) {
            laws.check(known.add(text), Laws.REGISTER, () -> shown + " has an append twice");
            laws.check(
                    !isAnswered(attempts.get(text), "Overtaken", "Refused"),
                    Laws.SAID_UNKNOWN,
                    () -> shown + ", but " + answers.get(text));
            if (versions.containsKey(text)) {
                Map.Entry<Long, String> before = chain.lowerEntry(versions.get(text));
                long found = last;
                laws.check(
                        found == (before == null ? 0 : before.getKey())
                                || found == 0 && shown.texts().size() == Entry.LENGTH,
                        Laws.REGISTER,
                        () -> shown + " has version " + found + " and not " + before + " before " + text);
                last = versions.get(text);
            }
        }
    }

    /** No process goes on showing the entry of an owner whose last view is over. */
    private void checkOwners() {
        Map<String, Long> lastViews = new HashMap<>();
        for (Received call : recording.calls()) {
            call.processes().forEach(process -> lastViews.merge(process, call.view(), Math::max));
        }
        Map<String, Integer> counts = new HashMap<>();
        for (Shown shown : shows) {
            String owner = shown.place().replace(Entry.CLAIMS, "");
            long last = lastViews.getOrDefault(owner, Entry.NEVER);
            laws.check(
                    shown.view() <= last || counts.merge(shown.process() + owner, 1, Integer::sum) != TOO_OFTEN,
                    Laws.OWNED,
                    () -> shown + " " + TOO_OFTEN + " times after the last view of its owner, " + last);
        }
    }
}
