// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.Recording.Accepted;
import org.apache.sling.discovery.it.chaos.Recording.Gap;
import org.apache.sling.discovery.it.chaos.Recording.Listener;
import org.apache.sling.discovery.it.chaos.Recording.Node;
import org.apache.sling.discovery.it.chaos.Recording.Received;
import org.apache.sling.discovery.it.chaos.Recording.Removed;
import org.apache.sling.discovery.it.chaos.Recording.Rest;
import org.apache.sling.discovery.it.chaos.Recording.Seat;
import org.apache.sling.discovery.it.chaos.Recording.Started;
import org.apache.sling.discovery.it.chaos.Recording.View;
import org.apache.sling.discovery.it.chaos.Recording.Window;
import org.apache.sling.discovery.it.chaos.Recording.Write;
import org.apache.sling.discovery.it.chaos.Recording.Yes;

/** Reads the folder of a recorded run. */
final class RecordingReader {

    static final String STORE = "store.log";
    static final String VIEWS = "views.log";
    static final String WINDOWS = "windows.log";

    private static final String SUFFIX = ".tsv";
    private static final String QUARANTINED = "QUARANTINED";

    private final List<Received> received = new ArrayList<>();
    private final List<Removed> removed = new ArrayList<>();
    private final List<Yes> yes = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final List<Started> starts = new ArrayList<>();
    private final List<Rest> rests = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<Listener, Integer> open = new HashMap<>();

    private RecordingReader() {}

    static Recording read(Path folder) {
        RecordingReader reader = new RecordingReader();
        for (Path file : processes(folder)) {
            String name = file.getFileName().toString();
            reader.process(name.substring(0, name.length() - SUFFIX.length()), lines(file));
        }
        return new Recording(
                reader.received,
                reader.removed,
                reader.yes,
                reader.writes,
                lines(folder.resolve(STORE)).stream()
                        .map(RecordingReader::accepted)
                        .toList(),
                lines(folder.resolve(VIEWS)).stream().map(RecordingReader::view).toList(),
                lines(folder.resolve(WINDOWS)).stream()
                        .map(RecordingReader::window)
                        .toList(),
                reader.gaps,
                reader.starts,
                reader.rests,
                reader.failures);
    }

    private static List<Path> processes(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the complete lines. */
    static List<String[]> lines(Path file) {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> line.split("\t", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void process(String process, List<String[]> lines) {
        for (String[] line : lines) {
            switch (line[0]) {
                case "enter" -> enter(received(process, line));
                case "return" -> leave(new Listener(process, Integer.parseInt(line[2])), time(line[1]));
                case "removed" -> removed.add(
                        new Removed(new Listener(process, Integer.parseInt(line[2])), time(line[3]), time(line[1])));
                case "yes" -> yes.add(new Yes(
                        process,
                        time(line[1]),
                        time(line[2]),
                        Integer.parseInt(line[3]),
                        Long.parseLong(line[4]),
                        Long.parseLong(line[5])));
                case "write" -> writes.add(new Write(
                        process, time(line[1]), time(line[2]), Long.parseLong(line[3]), line[4].equals("ACCEPTED")));
                case "gap" -> gaps.add(new Gap(process, time(line[1]), time(line[2])));
                case "failure" -> failures.add(process + " at " + line[1] + ": " + line[2]);
                case "active" -> starts.add(started(process, line));
                case "state" -> rest(process, time(line[1]), line[2].equals(QUARANTINED));
                case "process", "stopped", "no", "did" -> {}
                default -> failures.add(process + " wrote an unknown line: " + String.join(" ", line));
            }
        }
    }

    private void rest(String process, long time, boolean rests) {
        int last = this.rests.size() - 1;
        if (rests) {
            this.rests.add(new Rest(process, time, Recording.NEVER));
        } else if (last >= 0 && this.rests.get(last).process().equals(process)) {
            Rest open = this.rests.get(last);
            this.rests.set(last, new Rest(process, open.from(), Math.min(open.to(), time)));
        }
    }

    private void enter(Received call) {
        open.put(call.by(), received.size());
        received.add(call);
    }

    private void leave(Listener listener, long at) {
        Integer index = open.remove(listener);
        // Two calls at once: the overtaken one never returns in the recording.
        if (index != null) {
            received.set(index, received.get(index).returningAt(at));
        }
    }

    /** Returns the recorded entry of a call that has not returned. */
    static Received received(String process, String[] line) {
        return new Received(
                new Listener(process, Integer.parseInt(line[2])),
                time(line[1]),
                Recording.NEVER,
                line[3].replace("TOPOLOGY_", ""),
                Long.parseLong(line[4]),
                Long.parseLong(line[5]),
                Boolean.parseBoolean(line[6]),
                Boolean.parseBoolean(line[7]),
                Boolean.parseBoolean(line[8]),
                Stream.of(line[9].split(",")).map(RecordingReader::seat).toList(),
                line[10],
                line[11]);
    }

    private static Seat seat(String text) {
        int end = text.indexOf('=');
        return new Seat(text.substring(0, end), text.substring(end + 1));
    }

    private static Accepted accepted(String[] line) {
        return new Accepted(Long.parseLong(line[0]), time(line[1]), line[2], Long.parseLong(line[3]));
    }

    private static View view(String[] line) {
        return new View(
                Long.parseLong(line[0]),
                Long.parseLong(line[1]),
                Long.parseLong(line[2]),
                Stream.of(line[3].split(",")).map(RecordingReader::node).toList(),
                time(line[5]));
    }

    private static Node node(String text) {
        int end = text.indexOf('=');
        return new Node(text.substring(0, end), text.substring(end + 1));
    }

    private static Window window(String[] line) {
        return new Window(
                line[0],
                time(line[1]),
                time(line[2]),
                time(line[3]),
                time(line[4]),
                Stream.of(line[5].split(",")).filter(type -> !type.isEmpty()).collect(Collectors.toSet()),
                Boolean.parseBoolean(line[6]),
                line[7]);
    }

    private static Started started(String process, String[] line) {
        String[] settings = line[2].split(",");
        return new Started(
                process,
                time(line[1]),
                Long.parseLong(settings[0]),
                Long.parseLong(settings[1]),
                settings[2],
                Double.parseDouble(settings[3]));
    }

    private static long time(String text) {
        return Long.parseLong(text);
    }
}
