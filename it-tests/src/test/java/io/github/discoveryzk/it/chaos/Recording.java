// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Entered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Gap;
import io.github.discoveryzk.it.chaos.recorder.Entry.Listener;
import io.github.discoveryzk.it.chaos.recorder.Entry.Published;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Returned;
import io.github.discoveryzk.it.chaos.recorder.Entry.Yes;
import io.github.discoveryzk.it.chaos.recorder.Line;
import io.github.discoveryzk.testing.laws.View;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The recording of a run: its entries by their types, those of each type in the order of their times. */
final class Recording {

    private static final String QUARANTINED = "QUARANTINED";

    private final Map<Class<?>, List<?>> entries = new HashMap<>();

    /** A process rested in quarantine from {@code from} to {@code to}, which may be {@link Entry#NEVER}. */
    record Rest(String process, long from, long to) {}

    /** Reads the folder of a recorded run. */
    static Recording read(Path folder) {
        Recording recording = new Recording();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file);
                // A process that was killed may have written a part of a line.
                recording.add(text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .map(Line::read)
                        .toList());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        recording.sort();
        return recording;
    }

    /** Returns the entries of a type; entries can be added. */
    @SuppressWarnings("unchecked")
    <T extends Record> List<T> all(Class<T> type) {
        return (List<T>) entries.computeIfAbsent(type, any -> new ArrayList<>());
    }

    void add(Record entry) {
        add(entry, entry.getClass());
    }

    private <T extends Record> void add(Record entry, Class<T> type) {
        all(type).add(type.cast(entry));
    }

    /** Adds what one process has written. */
    private void add(List<Record> lines) {
        Map<Listener, Integer> open = new HashMap<>();
        for (Record entry : lines) {
            if (entry instanceof Returned call) {
                Integer index = open.remove(call.by());
                // Two calls at the same time: the overtaken one never returns in the recording.
                if (index != null) {
                    calls().set(index, calls().get(index).returningAt(call.at()));
                }
            } else if (entry instanceof Entered state) {
                rest(state);
            } else {
                if (entry instanceof Received call) {
                    open.put(call.by(), calls().size());
                }
                add(entry);
            }
        }
    }

    private void rest(Entered state) {
        List<Rest> rests = all(Rest.class);
        int last = rests.size() - 1;
        if (state.name().equals(QUARANTINED)) {
            rests.add(new Rest(state.process(), state.at(), Entry.NEVER));
        } else if (last >= 0 && rests.get(last).process().equals(state.process())) {
            Rest open = rests.get(last);
            rests.set(last, new Rest(open.process(), open.from(), Math.min(open.to(), state.at())));
        }
    }

    void sort() {
        calls().sort(Comparator.comparingLong(Received::entered));
        all(Yes.class).sort(Comparator.comparingLong(Yes::before));
        all(Published.class).sort(Comparator.comparingLong(Published::number));
        all(Gap.class).sort(Comparator.comparingLong(Gap::before));
    }

    /** Returns the calls of listeners. */
    List<Received> calls() {
        return all(Received.class);
    }

    /** Returns the chain of views as the store of the cluster has it, without the processes of the members. */
    List<View> views() {
        return all(Published.class).stream()
                .distinct()
                .map(each -> new View(
                        each.number(),
                        each.previous(),
                        each.token(),
                        each.members().stream()
                                .map(member -> member.split("=", 2))
                                .map(parts -> new View.Seat(parts[0], parts[1], "", 0))
                                .toList(),
                        Set.of(),
                        "",
                        each.at()))
                .toList();
    }

    /** Returns for how many nanoseconds of a time the machine did not run some process; overlaps count once. */
    long standstill(long from, long to) {
        long sum = 0;
        long counted = from;
        for (Gap gap : all(Gap.class)) {
            long begin = Math.max(gap.before(), counted);
            long end = Math.min(gap.after(), to);
            if (end > begin) {
                sum += end - begin;
                counted = end;
            }
        }
        return sum;
    }
}
