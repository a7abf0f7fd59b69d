// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.specification;

import io.github.discoveryzk.testing.Effort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tlc2.TLC;

/**
 * Runs TLC, the model checker of TLA+, in a process of its own, because it keeps its state in static fields. That process ends
 * with its input, so it never outlives the test, even if that is killed.
 */
final class ModelChecker {

    /** Where the specification is. */
    static final Path FOLDER = Path.of("../docs/spec");

    private static final Path RUNS = Path.of("target/specification");
    private static final Pattern BROKEN = Pattern.compile("Invariant (\\w+) is violated");
    private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found, 0 states left");

    private ModelChecker() {}

    /** The process: runs TLC with the arguments. */
    public static void main(String[] arguments) throws Exception {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {}
                    } catch (IOException e) {
                        e.printStackTrace();
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent");
        watch.setDaemon(true);
        watch.start();
        TLC.main(arguments);
    }

    /**
     * What a run has found.
     *
     * @param states the number of distinct states, empty if some were not examined
     * @param broken the first invariant that does not hold
     * @param length the length of the behaviour that breaks it
     */
    record Result(Optional<String> states, Optional<String> broken, int length, String output) {

        /** Returns what a line of the scopes expects: the number of states, or the law that breaks. */
        String found() {
            return broken.or(() -> states).orElse("an error: " + output);
        }
    }

    static Result check(Scope scope) {
        return check(scope.name().replace(' ', '-'), scope.module(), scope.configuration(), List.of());
    }

    /**
     * Checks a module.
     *
     * @param run names the files that this run leaves below {@code target}
     * @param configuration the constants and laws
     * @param generated modules beside those of the specification, each as a text that begins with its name and a line feed
     */
    static Result check(String run, String module, String configuration, List<String> generated) {
        try {
            Path folder = Files.createDirectories(RUNS.resolve(run));
            try (Stream<Path> modules = Files.list(FOLDER)) {
                for (Path each :
                        modules.filter(file -> file.toString().endsWith(".tla")).toList()) {
                    Files.writeString(folder.resolve(each.getFileName()), Files.readString(each));
                }
            }
            for (String text : generated) {
                int end = text.indexOf('\n');
                Files.writeString(folder.resolve(text.substring(0, end) + ".tla"), text.substring(end + 1));
            }
            Files.writeString(folder.resolve(module + ".cfg"), configuration);
            Path output = folder.resolve("output.txt");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            // A run of a few seconds is over before the second compiler pays.
                            "-XX:TieredStopAtLevel=" + (Effort.isThorough() ? 4 : 1),
                            "-Xmx1g",
                            "-Xss16m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ModelChecker.class.getName(),
                            "-deadlock",
                            "-workers",
                            "1",
                            "-metadir",
                            "states",
                            module)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(20, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("TLC hangs: " + output.toAbsolutePath());
                }
            } finally {
                process.destroyForcibly();
            }
            return read(Files.readString(output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Result read(String output) {
        return new Result(
                first(DISTINCT, output).map(digits -> digits.replace(",", "")),
                output.contains("Temporal properties were violated")
                        ? Optional.of("L10_Liveness")
                        : first(BROKEN, output),
                (int) output.lines().filter(line -> line.startsWith("State ")).count(),
                output);
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
