// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.nio.file.Path;
import java.util.List;

/** The runs whose results are published, each with the questions that it answers. */
final class Programme {
    private static final int REAL = 10;

    private Programme() {}

    /** Returns all runs; together they take some 25 minutes. */
    static List<Run> full(Path folder) {
        List<Contestant> stores =
                List.of(Contestant.RAW, Contestant.CHAIN, Contestant.CURATOR, Contestant.DISCOVERY, Contestant.JGROUPS);
        List<Contestant> protocols = List.of(Contestant.RAW, Contestant.CHAIN, Contestant.DISCOVERY);
        List<Scenario> all = List.of(
                Scenario.LEAVE,
                Scenario.JOIN,
                Scenario.LEADER_LEAVE,
                Scenario.PROPERTY,
                Scenario.RESTART,
                Scenario.STORM);
        List<Scenario> many = List.of(Scenario.LEAVE, Scenario.JOIN, Scenario.PROPERTY, Scenario.STORM);
        List<Scenario> few = List.of(Scenario.LEAVE, Scenario.JOIN, Scenario.PROPERTY);
        List<Scenario> crash = List.of(Scenario.CRASH);
        return List.of(
                new Run(
                        "limits",
                        "All members real, one server",
                        plan(folder, "limits", stores, all).at(3, 10, 30, 100).times(9, 3)),
                new Run(
                        "warm",
                        "All members real, after 200 rounds",
                        plan(folder, "warm", protocols, few).at(3, 10).times(50, 200)),
                new Run(
                        "cold",
                        "Fresh processes",
                        plan(folder, "cold", List.of(Contestant.RAW, Contestant.DISCOVERY), List.of())
                                .cold(14)),
                new Run(
                        "thousand",
                        "Ten real members and light ones, one server",
                        plan(folder, "thousand", protocols, many)
                                .at(30, 300, 1000)
                                .light(REAL)
                                .times(3, 1)),
                new Run(
                        "ensemble",
                        "Ten real members and light ones, three servers",
                        plan(folder, "ensemble", protocols, many)
                                .at(30, 300, 1000)
                                .light(REAL)
                                .on(3)
                                .times(3, 1)),
                new Run(
                        "processes",
                        "All members real, in four processes",
                        plan(folder, "processes", protocols, few)
                                .at(30, 100)
                                .in(4)
                                .times(7, 3)),
                new Run(
                        "crash",
                        "A process is killed",
                        plan(folder, "crash", List.of(Contestant.RAW, Contestant.DISCOVERY, Contestant.JGROUPS), crash)
                                .at(3, 30)
                                .times(2, 0)));
    }

    /** Returns a small run of each kind, which shows that the programme works. */
    static List<Run> quick(Path folder) {
        List<Contestant> all = List.of(Contestant.values());
        List<Contestant> two = List.of(Contestant.RAW, Contestant.DISCOVERY);
        List<Scenario> scenarios = List.of(Scenario.LEAVE, Scenario.JOIN, Scenario.PROPERTY, Scenario.STORM);
        return List.of(
                new Run(
                        "limits",
                        "All members real, one server",
                        plan(folder, "limits", all, scenarios).at(3, 6).times(2, 0)),
                new Run(
                        "ensemble",
                        "Ten real members and light ones, three servers",
                        plan(folder, "ensemble", two, scenarios)
                                .at(12, 24)
                                .light(REAL / 2)
                                .on(3)
                                .times(2, 0)),
                new Run(
                        "cold",
                        "Fresh processes",
                        plan(folder, "cold", two, List.of()).cold(1)));
    }

    private static Plan plan(Path folder, String key, List<Contestant> contestants, List<Scenario> scenarios) {
        return Plan.of(folder.resolve(key), contestants, scenarios);
    }

    /**
     * A run.
     *
     * @param key the name of its folder and of its pictures
     * @param title its title in the report
     * @param plan what to measure
     */
    record Run(String key, String title, Plan plan) {}
}
