// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.specification;

import io.github.discoveryzk.base.simulation.TracePlayer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What happened in one history, as {@code docs/spec/DiscoveryTrace.tla} describes it.
 *
 * @param ids the numbers of the instance ids, as a sequence of TLA+
 * @param lines the events, each a sequence of TLA+
 */
record Trace(String ids, List<String> lines) {

    private static final Pattern EXPLAINED = Pattern.compile("<<\"line\", (\\d+), (\\d+)>>");

    /** Every bound is larger than what a history needs. */
    private static final String CONFIGURATION = String.join(
            "\n",
            "SPECIFICATION TraceSpec",
            "CONSTANTS",
            "Instances = " + Scope.instances(TracePlayer.INSTANCES),
            "Founders = 0",
            "Twins = {}",
            "MaxNode = 10000",
            "MaxView = 10000",
            "MaxRenewal = 1000000",
            "Faults = 1000000",
            "Kinds = {\"lease\", \"exclude\", \"leave\", \"kill\", \"expire\", \"hint\", \"session\", \"invalidate\","
                    + " \"loss\", \"withdraw\", \"late\"}",
            "Dropped = {}",
            "INVARIANTS",
            "Deepest",
            String.join("\n", Scope.laws("Discovery")),
            "");

    /** Reads what a {@link TracePlayer} returns. */
    static Trace of(String text) {
        List<String> all = text.lines().toList();
        return new Trace(all.get(0), untilLastRequests(all.subList(1, all.size())));
    }

    /**
     * A request that was on its way when its process was killed is executed later, and for others the process has run until then. The
     * servers, and not the process, end its node.
     */
    private static List<String> untilLastRequests(List<String> lines) {
        List<String> ordered = new ArrayList<>(lines);
        for (String line : lines) {
            if (line.startsWith("<<\"killed\"")) {
                Pattern sameInstance =
                        Pattern.compile("<<\"(?!vanished)[^\"]*\", " + line.replaceAll("\\D", "") + "\\b.*");
                int last = IntStream.range(0, ordered.size())
                        .filter(at -> sameInstance.matcher(ordered.get(at)).matches())
                        .max()
                        .orElseThrow();
                ordered.add(last + 1, line);
                ordered.remove(line);
            }
        }
        return ordered;
    }

    /**
     * Asks the model checker how much of each trace is a behaviour of the specification.
     *
     * @return for each trace the number of lines that have an explanation, counted from the first
     */
    static List<Integer> explained(String run, List<Trace> traces) {
        String module = traces.stream()
                .map(trace -> "<<" + trace.ids + ", <<\n" + String.join(",\n", trace.lines) + ">> >>")
                .collect(Collectors.joining(",\n", "Traces\n---- MODULE Traces ----\nTraces == <<\n", ">>\n====\n"));
        ModelChecker.Result result = ModelChecker.check(run, "DiscoveryTrace", CONFIGURATION, List.of(module));
        if (result.states().isEmpty() || result.broken().isPresent()) {
            throw new IllegalStateException("the traces were not checked: " + result.output());
        }
        int[] deepest = new int[traces.size()];
        Matcher matcher = EXPLAINED.matcher(result.output());
        while (matcher.find()) {
            int trace = Integer.parseInt(matcher.group(1)) - 1;
            deepest[trace] = Math.max(deepest[trace], Integer.parseInt(matcher.group(2)) - 1);
        }
        return IntStream.of(deepest).boxed().toList();
    }

    /** Returns the lines before the first one that has no explanation, and that one. */
    String before(int explained) {
        return ids + "\n" + String.join("\n", lines.subList(0, Math.min(lines.size(), explained + 1)));
    }
}
