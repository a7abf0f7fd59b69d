// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A fault that is planted into main code to see whether a test notices: replacements in the sources of classes. The faults of a
 * layer are in a text file, one block of {@code key: value} lines each, with an empty line in between and {@code #} before
 * prose:
 *
 * <pre>
 * fault: the settle timeout continues while the view stands again
 * in: base.protocol.Decision
 * instead of: return step(idle, waiting
 * stands: return step(changing, waiting
 * caught by: simulation
 * </pre>
 *
 * White space in {@code instead of} matches any white space. A block may have several replacements and several classes.
 * {@code caught by} names a test class, perhaps with {@code #method}, or {@code simulation}; a fault that changes no behaviour has
 * {@code equivalent because} in its place. {@code seed} is one whose history breaks a law; that one is played first, and
 * the others only when it has stopped to. {@code breaks} names a law; the faults that have it are planted in each build, and all
 * others in the profile {@code thorough}.
 *
 * @param name the fault in words
 * @param changes the replacements
 * @param caughtBy the test that must fail; empty when none can
 * @param equivalentBecause why no test can fail; empty when one must
 * @param breaks the law that this fault stands for in each build; empty when it is planted in the profile {@code thorough} only
 * @param seed a history that has broken a law; empty when the first ones do
 */
public record PlantedFault(
        String name,
        List<Change> changes,
        Optional<String> caughtBy,
        Optional<String> equivalentBecause,
        Optional<String> breaks,
        OptionalLong seed) {

    /** Used in place of a test class for a law that breaks in a simulated history. */
    public static final String SIMULATION = "simulation";

    private static final Set<String> KEYS =
            Set.of("fault", "in", "instead of", "stands", "caught by", "equivalent because", "breaks", "seed");
    private static final String PRODUCT = "io.github.discoveryzk.";

    public PlantedFault {
        Objects.requireNonNull(name, "name");
        changes = List.copyOf(changes);
        if (changes.isEmpty() || caughtBy.isPresent() == equivalentBecause.isPresent()) {
            throw new IllegalArgumentException(
                    name + ": a fault needs a replacement, and either a test or the reason why there is none");
        }
    }

    /**
     * Reads the faults of a layer.
     *
     * @param resource an absolute resource name on the class path of the tests
     */
    public static List<PlantedFault> read(String resource) {
        try (InputStream in = PlantedFault.class.getResourceAsStream(resource)) {
            String text = new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
            List<PlantedFault> faults = new ArrayList<>();
            for (String block : text.split("\\R\\s*\\R")) {
                List<String> lines = block.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList();
                if (!lines.isEmpty()) {
                    faults.add(of(lines));
                }
            }
            return faults;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PlantedFault of(List<String> lines) {
        Map<String, String> keys = new HashMap<>();
        List<Change> changes = new ArrayList<>();
        for (String line : lines) {
            String[] parts = line.split(":", 2);
            if (parts.length < 2 || !KEYS.contains(parts[0])) {
                throw new IllegalArgumentException("cannot understand the line: " + line);
            }
            keys.put(parts[0], parts[1].strip());
            if (parts[0].equals("stands")) {
                changes.add(new Change(keys.get("in"), keys.get("instead of"), keys.get("stands")));
            }
        }
        return new PlantedFault(
                keys.get("fault"),
                changes,
                Optional.ofNullable(keys.get("caught by")),
                Optional.ofNullable(keys.get("equivalent because")),
                Optional.ofNullable(keys.get("breaks")),
                Stream.ofNullable(keys.get("seed")).mapToLong(Long::parseLong).findFirst());
    }

    /**
     * Compiles the changed classes and returns a loader with new copies of all classes of the product, including tests, with
     * the fault.
     *
     * @throws IllegalStateException when a text does not occur exactly once, or the result does not compile
     */
    public ClassLoader plant() {
        return new FaultLoader(Sources.compile(changedSources()));
    }

    /** Compiles the changed classes into a folder, for a process or loader that has its own class path. */
    public void compileInto(Path folder) {
        Sources.compile(changedSources()).forEach((type, bytes) -> {
            Path file = folder.resolve(type.replace('.', '/') + ".class");
            try {
                Files.createDirectories(file.getParent());
                Files.write(file, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /**
     * Returns the sources of the changed classes, by name.
     *
     * @throws IllegalStateException when a text does not occur exactly once
     */
    public Map<String, String> changedSources() {
        Map<String, String> sources = new TreeMap<>();
        for (Change change : changes) {
            String type = PRODUCT + change.type();
            sources.put(type, change.in(sources.computeIfAbsent(type, Sources::of)));
        }
        return sources;
    }

    /**
     * Runs the tests that must catch this fault, with a short limit for waiting, and returns the first failure, or empty when all
     * succeed.
     */
    public Optional<String> failure() {
        ClassLoader planted = plant();
        return FaultRun.withShortLimit(() -> FaultRun.failureOf(PRODUCT + caughtBy.orElseThrow(), planted));
    }

    /** Runs a test class, named without the prefix of the product, without any fault. */
    public static Optional<String> failureWithoutFault(String testClass) {
        return FaultRun.failureOf(PRODUCT + testClass, new FaultLoader(Map.of()));
    }

    /**
     * Plays histories with this fault until a law breaks: that of its seed, and then those from seed 0 on.
     *
     * @param player name of a class, without the prefix of the product, that plays the history of a seed: a {@link LongFunction}
     *     that returns the name of the law that breaks, or an empty text
     * @param seeds how many histories to play
     * @return the seed and the law; empty when no law breaks
     */
    public Optional<String> lawBroken(String player, long seeds) {
        return FaultRun.lawBroken(
                PRODUCT + player, LongStream.concat(seed.stream(), LongStream.range(0, seeds)), plant());
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * A replacement in the source of a class.
     *
     * @param type name of a top-level class of main code, without the prefix of the product
     * @param original the text to replace; occurs once
     * @param replacement its replacement
     */
    public record Change(String type, String original, String replacement) {

        /** Returns the source with this replacement. */
        String in(String source) {
            List<int[]> places = Sources.places(original, source);
            if (places.size() != 1) {
                throw new IllegalStateException(
                        "\"" + original + "\" occurs " + places.size() + " times in " + type + ", not once");
            }
            int[] place = places.get(0);
            return source.substring(0, place[0]) + replacement + source.substring(place[1]);
        }
    }
}
