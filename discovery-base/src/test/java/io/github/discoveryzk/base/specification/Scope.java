// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.specification;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A line of {@code docs/spec/scopes.txt}: how large a cluster may become, what disturbs it, and what the model checker finds.
 *
 * @param module which module of the specification is checked
 * @param bounds the numbers of instances, founders, member nodes, views and renewals; of writers and transactions for data; of stays,
 *     keys and records for work
 * @param faults how many disturbances there may be
 * @param kinds of which kinds
 * @param without the rule that is left out; empty for none
 * @param expected the law that breaks, or the number of distinct states when all laws hold
 * @param eachBuild whether it is checked in each build, or only in the profile thorough
 */
record Scope(
        String name,
        String module,
        List<Integer> bounds,
        int faults,
        List<String> kinds,
        String without,
        String expected,
        boolean eachBuild) {

    private static final String LIVE = "DiscoveryLive";

    /** The laws as each module names them. */
    private static final Map<String, List<String>> LAWS = Map.of(
            "Discovery",
            List.of(
                    "L2_Order",
                    "L3_Leader",
                    "L4_Agreement",
                    "L5_Settled",
                    "L6_OneCurrentLeader",
                    "L7_Token",
                    "L8_NoFabricatedView",
                    "L11_Identity",
                    "L14_BlindIsNotDead",
                    "L17_HintIsNoProof"),
            LIVE,
            List.of("L10_Liveness"),
            "Data",
            List.of("L18_Register", "L19_OwnWrites", "L20_Fence", "L21_Heir", "L23_SaidUnknown"),
            "Lease",
            List.of("L6_Wait"),
            "Work",
            List.of("L25_OneWorker", "L26_Token"));

    /** Reads all scopes. */
    static List<Scope> all() throws IOException {
        return Files.readAllLines(ModelChecker.FOLDER.resolve("scopes.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Scope::of)
                .toList();
    }

    private static Scope of(String line) {
        List<String> cells = Stream.of(line.split("\\|")).map(String::strip).toList();
        List<String> disturbances = List.of(cells.get(2).split(" "));
        return new Scope(
                cells.get(0),
                module(cells.get(0)),
                Stream.of(cells.get(1).split(" ")).map(Integer::valueOf).toList(),
                Integer.parseInt(disturbances.get(0)),
                disturbances.subList(1, disturbances.size()),
                cells.get(3).equals("-") ? "" : cells.get(3),
                cells.get(4).substring(cells.get(4).indexOf(' ') + 1),
                cells.get(5).equals("each build"));
    }

    /** L10 needs fairness, and so a module of its own. */
    private static String module(String name) {
        return switch (name.split(" ")[0]) {
            case "liveness" -> LIVE;
            case "data" -> "Data";
            case "work" -> "Work";
            case "wait" -> "Lease";
            default -> "Discovery";
        };
    }

    /** Returns the configuration of the model checker. */
    String configuration() {
        return String.join(
                        "\n",
                        "SPECIFICATION " + (module.equals(LIVE) ? "LiveSpec" : "Spec"),
                        "CONSTANTS",
                        constants(),
                        module.equals(LIVE) ? "PROPERTIES" : "INVARIANTS",
                        String.join("\n", laws(module)))
                + "\n";
    }

    private String constants() {
        String dropped = "Dropped = " + (without.isEmpty() ? "{}" : "{" + quoted(without) + "}");
        return switch (module) {
            case "Lease" -> String.join(
                    "\n", "T = " + bounds.get(0), "Rate = " + bounds.get(1), "Margin = " + bounds.get(2));
            case "Data" -> String.join(
                    "\n", "Writers = " + instances(bounds.get(0)), "MaxTx = " + bounds.get(1), dropped);
            case "Work" -> String.join(
                    "\n",
                    "Stays = " + instances(bounds.get(0)),
                    "Keys = " + instances(bounds.get(1)),
                    "MaxRecord = " + bounds.get(2),
                    dropped);
            default -> String.join(
                    "\n",
                    "Instances = " + instances(bounds.get(0)),
                    "Founders = " + bounds.get(1),
                    "MaxNode = " + bounds.get(2),
                    "MaxView = " + bounds.get(3),
                    "MaxRenewal = " + bounds.get(4),
                    "Twins = " + (kinds.contains("twins") ? "{2, 3}" : "{}"),
                    "Faults = " + faults,
                    dropped,
                    "Kinds = " + kinds.stream().map(Scope::quoted).collect(Collectors.joining(", ", "{", "}")));
        };
    }

    static List<String> laws(String module) {
        return LAWS.get(module);
    }

    /** Returns the set of the first instances. */
    static String instances(int number) {
        return IntStream.rangeClosed(1, number).mapToObj(String::valueOf).collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }
}
