// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** All samples of a run, as CSV and as tables. */
final class Results {
    /** The name of what is measured without a change. */
    static final String IDLE = "idle";

    static final String MISSING = "–";

    private final Map<Key, List<Double>> samples = new TreeMap<>();

    void add(String scenario, int members, Contestant contestant, Quantity quantity, double sample) {
        samples.computeIfAbsent(new Key(scenario, quantity, members, contestant), key -> new ArrayList<>())
                .add(sample);
    }

    void add(Scenario scenario, int members, Contestant contestant, MeasuredCluster.Measurement measured) {
        String name = scenario.key();
        Usage used = measured.used();
        add(name, members, contestant, Quantity.TIME, measured.nanos() / 1e6);
        if (measured.changingNanos() > 0) {
            add(name, members, contestant, Quantity.CHANGING, measured.changingNanos() / 1e6);
        }
        if (contestant.usesServers()) {
            add(name, members, contestant, Quantity.PACKETS, measured.packets());
            add(
                    name,
                    members,
                    contestant,
                    Quantity.SERVER_PROCESSOR,
                    measured.serverTime().toNanos() / 1e6);
        }
        add(name, members, contestant, Quantity.BYTES, used.bytes());
        add(name, members, contestant, Quantity.PROCESSOR, used.processNanos() / 1e3 / measured.members());
        if (measured.real() > 0) {
            add(
                    name,
                    members,
                    contestant,
                    Quantity.REAL_PROCESSOR,
                    measured.usedByReal().processNanos() / 1e3 / measured.real());
        }
        if (used.decisions() > 0) {
            add(name, members, contestant, Quantity.DECISIONS, used.decisions());
            add(name, members, contestant, Quantity.DECISION_TIME, used.decisionNanos() / 1e6);
        }
    }

    SortedSet<Integer> members() {
        SortedSet<Integer> all = new TreeSet<>();
        samples.keySet().forEach(key -> all.add(key.members));
        return all;
    }

    Optional<Double> typical(String scenario, Quantity quantity, int members, Contestant contestant) {
        return Optional.ofNullable(samples.get(new Key(scenario, quantity, members, contestant)))
                .map(quantity::typical);
    }

    void writeCsv(Path folder) throws IOException {
        List<String> all = new ArrayList<>(List.of("scenario,quantity,members,contestant,sample,value"));
        List<String> medians = new ArrayList<>(List.of("scenario,quantity,members,contestant,samples,typical,p99"));
        samples.forEach((key, values) -> {
            for (int i = 0; i < values.size(); i++) {
                all.add(key + "," + (i + 1) + "," + number(values.get(i)));
            }
            medians.add(key + "," + values.size() + "," + number(key.quantity.typical(values)) + ","
                    + number(Statistics.percentile(values, 0.99)));
        });
        Files.write(folder.resolve("samples.csv"), all);
        Files.write(folder.resolve("medians.csv"), medians);
    }

    /**
     * Returns tables in Markdown: for each scenario and quantity the median and the 99th percentile of each contestant, and for
     * times how many times as long as the limits discovery takes.
     */
    String tables(List<Contestant> contestants) {
        StringBuilder text = new StringBuilder();
        SortedMap<String, SortedSet<Quantity>> questions = new TreeMap<>();
        samples.keySet().forEach(key -> questions
                .computeIfAbsent(key.scenario, scenario -> new TreeSet<>())
                .add(key.quantity));
        questions.forEach(
                (scenario, quantities) -> quantities.forEach(quantity -> table(scenario, quantity, contestants, text)));
        return text.toString();
    }

    /** Returns one table in Markdown with a title, empty when nothing of it was measured. */
    String table(String scenario, Quantity quantity, List<Contestant> contestants) {
        StringBuilder text = new StringBuilder();
        if (samples.keySet().stream().anyMatch(key -> key.scenario.equals(scenario) && key.quantity == quantity)) {
            table(scenario, quantity, contestants, text);
        }
        return text.toString();
    }

    private void table(String scenario, Quantity quantity, List<Contestant> contestants, StringBuilder text) {
        List<Contestant> limits = quantity == Quantity.TIME && contestants.contains(Contestant.DISCOVERY)
                ? Stream.of(Contestant.RAW, Contestant.CHAIN)
                        .filter(contestants::contains)
                        .toList()
                : List.of();
        text.append("\n").append(scenario).append(": ").append(quantity.title()).append(", median / p99\n\n");
        text.append("| members |");
        contestants.forEach(one -> text.append(' ').append(one.title()).append(" |"));
        limits.forEach(limit -> text.append(" times ").append(limit.title()).append(" |"));
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
    }

    /** Returns the comparison of fresh processes: a row for each question, and a column for each contestant. */
    String coldTable(List<Contestant> contestants) {
        StringBuilder text = new StringBuilder("| median / slowest |");
        contestants.forEach(one -> text.append(' ').append(one.title()).append(" |"));
        text.append("\n|---|").append("---|".repeat(contestants.size())).append('\n');
        for (Quantity quantity : List.of(
                Quantity.COLD_START,
                Quantity.WARM_START,
                Quantity.FIRST_CHANGE,
                Quantity.RESTED_CHANGE,
                Quantity.HUNDREDTH_CHANGE,
                Quantity.FIRST_COMPILER,
                Quantity.FIRST_OTHERS,
                Quantity.FIRST_WAIT,
                Quantity.HUNDREDTH_COMPILER,
                Quantity.HUNDREDTH_OTHERS,
                Quantity.HUNDREDTH_WAIT)) {
            text.append("| ").append(quantity.title()).append(" |");
            contestants.forEach(one -> text.append(' ')
                    .append(cell(new Key(ColdStart.COLD, quantity, ColdStart.MEMBERS, one)))
                    .append(" |"));
            text.append('\n');
        }
        text.append("| times as long, the first change at once as the one after a hundred |");
        contestants.forEach(one ->
                text.append(' ').append(coldRatio(one, Quantity.FIRST_CHANGE)).append(" |"));
        text.append("\n| times as long, the first change after a rest as the one after a hundred |");
        contestants.forEach(one ->
                text.append(' ').append(coldRatio(one, Quantity.RESTED_CHANGE)).append(" |"));
        return text.append('\n').toString();
    }

    private String coldRatio(Contestant contestant, Quantity first) {
        return typical(ColdStart.COLD, first, ColdStart.MEMBERS, contestant)
                .flatMap(time -> typical(ColdStart.COLD, Quantity.HUNDREDTH_CHANGE, ColdStart.MEMBERS, contestant)
                        .map(later -> number(time / later)))
                .orElse(MISSING);
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
                : number(key.quantity.typical(values)) + " / " + number(Statistics.percentile(values, 0.99));
    }

    /** Returns a number with as many digits as matter. */
    static String number(double value) {
        int digits = value == 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private record Key(String scenario, Quantity quantity, int members, Contestant contestant)
            implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = scenario.compareTo(other.scenario);
            order = order == 0 ? quantity.compareTo(other.quantity) : order;
            order = order == 0 ? Integer.compare(members, other.members) : order;
            return order == 0 ? contestant.compareTo(other.contestant) : order;
        }

        @Override
        public String toString() {
            return scenario + "," + quantity.key() + "," + members + "," + contestant.key();
        }
    }
}
