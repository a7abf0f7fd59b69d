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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** All samples of a run, as CSV and as tables. */
final class Results {
    /** The name of what is measured without a change. */
    static final String IDLE = "idle";

    private final Map<Key, List<Double>> samples = new TreeMap<>();

    void add(String scenario, int members, Contestant contestant, Quantity quantity, double sample) {
        samples.computeIfAbsent(new Key(scenario, quantity, members, contestant), key -> new ArrayList<>())
                .add(sample);
    }

    void add(Scenario scenario, int members, Contestant contestant, Cluster.Measurement measured) {
        String name = scenario.key();
        Usage used = measured.used();
        add(name, members, contestant, Quantity.TIME, measured.nanos() / 1e6);
        if (measured.changingNanos() > 0) {
            add(name, members, contestant, Quantity.CHANGING, measured.changingNanos() / 1e6);
        }
        add(name, members, contestant, Quantity.PACKETS, measured.packets());
        add(name, members, contestant, Quantity.BYTES, used.bytes());
        add(name, members, contestant, Quantity.PROCESSOR, used.processNanos() / 1e3 / measured.members());
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

    /** Returns tables in Markdown: for each scenario and quantity median and 99th percentile of each contestant. */
    String tables(List<Contestant> contestants) {
        StringBuilder text = new StringBuilder();
        SortedSet<String> questions = new TreeSet<>();
        samples.keySet().forEach(key -> questions.add(key.scenario + "," + key.quantity.ordinal()));
        for (String question : questions) {
            String scenario = question.substring(0, question.indexOf(','));
            Quantity quantity = Quantity.values()[Integer.parseInt(question.substring(question.indexOf(',') + 1))];
            text.append("\n")
                    .append(scenario)
                    .append(": ")
                    .append(quantity.title())
                    .append(", median / p99\n\n");
            text.append("| members |");
            contestants.forEach(one -> text.append(' ').append(one.title()).append(" |"));
            text.append("\n|---|").append("---|".repeat(contestants.size())).append('\n');
            for (int size : members()) {
                text.append("| ").append(size).append(" |");
                for (Contestant one : contestants) {
                    text.append(' ')
                            .append(cell(new Key(scenario, quantity, size, one)))
                            .append(" |");
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    private String cell(Key key) {
        List<Double> values = samples.get(key);
        return values == null
                ? "–"
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
