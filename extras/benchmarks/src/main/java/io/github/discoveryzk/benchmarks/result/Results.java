// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.result;

import io.github.discoveryzk.benchmarks.member.Contestant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All samples of a run, as CSV and as tables. */
public final class Results {

    /** The name of what is measured without a change. */
    public static final String IDLE = "idle";

    /** The columns of {@link #csv}. */
    public static final String COLUMNS = "scenario,quantity,members,contestant,samples,typical,p99";

    private static final String MISSING = "–";

    private final Map<Key, List<Double>> samples = new TreeMap<>();

    /** Adds a sample of several quantities. */
    public void add(String scenario, int members, Contestant contestant, Map<Quantity, Double> measured) {
        measured.forEach((quantity, sample) -> samples.computeIfAbsent(
                        new Key(scenario, quantity, members, contestant), key -> new ArrayList<>())
                .add(sample));
    }

    /** Returns the value that stands for all samples of a quantity; empty if it was not measured. */
    public Optional<Double> typical(String scenario, Quantity quantity, int members, Contestant contestant) {
        return Optional.ofNullable(samples.get(new Key(scenario, quantity, members, contestant)))
                .map(quantity::typical);
    }

    /** Returns a line for each quantity, without the line of the {@linkplain #COLUMNS columns}. */
    public List<String> csv() {
        List<String> lines = new ArrayList<>();
        samples.forEach((key, values) -> lines.add(key + "," + values.size() + ","
                + number(key.quantity.typical(values)) + "," + number(Quantity.percentile99(values))));
        return lines;
    }

    /**
     * Returns tables in Markdown: for each scenario and quantity the median and the 99th percentile of each contestant, and for
     * times how many times as long as the limits and as another build discovery takes.
     */
    public String tables(List<Contestant> contestants) {
        return samples.keySet().stream()
                .map(key -> table(key.scenario, key.quantity, contestants))
                .distinct()
                .collect(Collectors.joining());
    }

    private String table(String scenario, Quantity quantity, List<Contestant> contestants) {
        List<Contestant> limits = quantity == Quantity.TIME && contestants.contains(Contestant.DISCOVERY)
                ? Stream.of(Contestant.RAW, Contestant.CHAIN, Contestant.OTHER)
                        .filter(contestants::contains)
                        .toList()
                : List.of();
        StringBuilder text = new StringBuilder();
        text.append("\n").append(scenario).append(": ").append(quantity.title()).append(", median / p99\n\n");
        text.append("| members |");
        contestants.forEach(one -> text.append(' ').append(one).append(" |"));
        limits.forEach(limit -> text.append(" times ").append(limit).append(" |"));
        text.append("\n|---|")
                .append("---|".repeat(contestants.size() + limits.size()))
                .append('\n');
        for (int size : members()) {
            text.append("| ").append(size).append(" |");
            contestants.forEach(one -> text.append(' ')
                    .append(cell(new Key(scenario, quantity, size, one)))
                    .append(" |"));
            limits.forEach(limit ->
                    text.append(' ').append(ratio(scenario, size, limit)).append(" |"));
            text.append('\n');
        }
        return text.toString();
    }

    private SortedSet<Integer> members() {
        return samples.keySet().stream().map(Key::members).collect(Collectors.toCollection(TreeSet::new));
    }

    private String ratio(String scenario, int size, Contestant limit) {
        return typical(scenario, Quantity.TIME, size, Contestant.DISCOVERY)
                .flatMap(time -> typical(scenario, Quantity.TIME, size, limit).map(shortest -> number(time / shortest)))
                .orElse(MISSING);
    }

    private String cell(Key key) {
        List<Double> values = samples.get(key);
        return values == null
                ? MISSING
                : number(key.quantity.typical(values)) + " / " + number(Quantity.percentile99(values));
    }

    /** Returns a number with as many digits as matter. */
    private static String number(double value) {
        int digits = value == 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private record Key(String scenario, Quantity quantity, int members, Contestant contestant)
            implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.comparing(Key::scenario)
                .thenComparing(Key::quantity)
                .thenComparing(Key::members)
                .thenComparing(Key::contestant);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return scenario + "," + quantity.name().toLowerCase(Locale.ROOT) + "," + members + "," + contestant;
        }
    }
}
