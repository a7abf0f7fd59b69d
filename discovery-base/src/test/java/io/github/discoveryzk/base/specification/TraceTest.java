// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.specification;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.simulation.TracePlayer;
import io.github.discoveryzk.testing.Effort;
import io.github.discoveryzk.testing.fault.PlantedFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that what instances do in simulated histories is a behaviour of the specification, and that it is not when a fault is
 * planted into them. {@code -Ddiscovery.specification.traces=2000} checks more histories, {@code
 * -Ddiscovery.specification.first=4711} others.
 */
class TraceTest {

    private static final int HISTORIES = Effort.of("discovery.specification.traces", 200, 400);
    private static final long FIRST = Long.getLong("discovery.specification.first", 0);
    private static final int HISTORIES_OF_A_RUN = 500;

    /**
     * A line of {@code specification/rejected.txt}.
     *
     * @param seed a history in which the instances with the fault do what the specification does not allow
     * @param step the event that it does not explain, and the instance
     */
    private record Rejection(String fault, long seed, String step) {

        static Rejection of(String line) {
            List<String> cells = Stream.of(line.split("\\|")).map(String::strip).toList();
            return new Rejection(cells.get(0), Long.parseLong(cells.get(1)), cells.get(2));
        }
    }

    @Test
    void historiesAreBehavioursOfTheSpecification() {
        long lines = 0;
        long accepted = 0;
        for (long first = FIRST; first < FIRST + HISTORIES; first += HISTORIES_OF_A_RUN) {
            long end = Math.min(FIRST + HISTORIES, first + HISTORIES_OF_A_RUN);
            Map<Long, Trace> traces = new TreeMap<>(LongStream.range(first, end)
                    .parallel()
                    .boxed()
                    .collect(Collectors.toConcurrentMap(Function.identity(), new TracePlayer()::apply))
                    .entrySet()
                    .stream()
                    .filter(played -> !played.getValue().isEmpty())
                    .collect(Collectors.toMap(Map.Entry::getKey, played -> Trace.of(played.getValue()))));
            List<Integer> explained = Trace.explained("histories", List.copyOf(traces.values()));
            int place = 0;
            for (Map.Entry<Long, Trace> played : traces.entrySet()) {
                Trace trace = played.getValue();
                int known = explained.get(place++);
                assertThat(known)
                        .as(() -> "seed " + played.getKey() + ", the last line has no explanation:\n"
                                + trace.before(known))
                        .isEqualTo(trace.lines().size());
                lines += known;
            }
            accepted += traces.size();
        }
        System.out.println(accepted + " histories with " + lines + " lines are behaviours of the specification");
        assertThat(accepted).isGreaterThan(HISTORIES / 2);
    }

    @Test
    void faultsDoWhatTheSpecificationDoesNotAllow() throws IOException {
        Map<String, PlantedFault> faults = Stream.of(
                        "/faults/protocol.txt", "/faults/explorer.txt", "/faults/engine.txt")
                .flatMap(list -> PlantedFault.read(list).stream())
                .collect(Collectors.toMap(PlantedFault::name, Function.identity(), (first, second) -> first));
        List<Rejection> rejections =
                Files.readAllLines(Path.of("src/test/resources/specification/rejected.txt")).stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .map(Rejection::of)
                        .filter(rejection -> Effort.isThorough()
                                || faults.get(rejection.fault()).breaks().isPresent())
                        .toList();
        List<Trace> traces = rejections.parallelStream()
                .map(rejection -> Trace.of(playWith(faults.get(rejection.fault()), rejection.seed())))
                .toList();
        List<Integer> explained = Trace.explained("faults", traces);
        for (int i = 0; i < traces.size(); i++) {
            Trace trace = traces.get(i);
            Rejection rejection = rejections.get(i);
            int known = explained.get(i);
            assertThat(known).as(rejection.fault()).isLessThan(trace.lines().size());
            System.out.println(rejection.fault() + " - seed " + rejection.seed() + ", line " + (known + 1) + ": "
                    + trace.lines().get(known));
            assertThat(trace.lines().get(known)).as(rejection.fault()).contains("\"" + rejection.step() + "\"");
        }
        assertThat(traces).isNotEmpty();
    }

    @SuppressWarnings("unchecked")
    private static String playWith(PlantedFault fault, long seed) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader planted = fault.plant();
        Thread.currentThread().setContextClassLoader(planted);
        try {
            Class<?> player = planted.loadClass(TracePlayer.class.getName());
            return ((LongFunction<String>) player.getConstructor().newInstance()).apply(seed);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
