// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The ensemble, as one container sees it.
 *
 * @param sentence what the server of this container does, or why this container has none
 * @param problems what needs attention, a sentence each
 * @param servers the list
 * @param own the entry of this container, if it has a server
 * @param answers the last answers of all entries, by id; empty before the first
 * @param disk where this server has its data, and how much space is left
 */
record EnsembleReport(
        String sentence,
        List<String> problems,
        Servers servers,
        Optional<Entry> own,
        Map<Integer, Answer> answers,
        Optional<String> disk) {
    private static final int EPOCH_BITS = 32;

    Optional<Entry> leader() {
        return servers.entries().stream()
                .filter(each -> answer(each).kind() == Kind.LEADER)
                .findFirst();
    }

    /** Returns the answer of a server. One that led before it was suspended says so until it has looked for the others. */
    private Answer answer(Entry entry) {
        Answer answer = answers.getOrDefault(entry.id(), Answer.SILENT);
        boolean led = answer.kind() == Kind.LEADER
                && answers.values().stream()
                        .anyMatch(each -> each.kind() == Kind.LEADER && each.zxid() > answer.zxid());
        return led ? Answer.of(Kind.NOT_SERVING) : answer;
    }

    /** Says whether too few servers serve for a majority; before they have been asked it is not known, and false. */
    boolean hasNoMajority() {
        long serving =
                servers.entries().stream().filter(each -> answer(each).serves()).count();
        return !answers.isEmpty() && serving <= servers.size() / 2;
    }

    /** Returns this report while the server of this container serves, so there is a majority: answers without one were given before. */
    EnsembleReport whileServing() {
        return hasNoMajority() ? new EnsembleReport(sentence, problems, servers, own, Map.of(), disk) : this;
    }

    /**
     * Returns what is wrong with the servers of other containers too, a sentence for all of them; empty before they have been asked.
     *
     * @param names how a text names a server by its address
     */
    List<String> risks(UnaryOperator<String> names) {
        List<Entry> down = servers.entries().stream()
                .filter(each -> !answer(each).serves())
                .toList();
        int spare = (servers.size() - 1) / 2 - down.size();
        String left = spare < 0
                ? "Without a majority all instances lose their view"
                : spare == 0 ? "All instances are cut off if one more fails" : spare + " more may fail";
        // The others of them only wait for a majority.
        List<Entry> absent = down.stream()
                .filter(each -> spare < 0 && !answer(each).comesFromAServer())
                .toList();
        if (own.filter(each -> down.equals(List.of(each))).isPresent() && !answers.isEmpty()) {
            return List.of("The ZooKeeper server of this container does not serve now. " + left + ".");
        }
        return down.isEmpty() || answers.isEmpty()
                ? List.of()
                : List.of("From here no ZooKeeper server serves on "
                        + (absent.isEmpty() ? down : absent)
                                .stream().map(Entry::address).map(names).collect(Collectors.joining(", "))
                        + ". " + left
                        + ": start the containers there, or mend the network.");
    }

    /**
     * Returns why the ensemble should not lose the server of this container now.
     *
     * @param names how a text names a server by its address
     * @param leaving the addresses of servers that end although they may have answered
     */
    Optional<String> objection(UnaryOperator<String> names, Set<String> leaving) {
        if (own.isEmpty()) {
            return Optional.empty();
        } else if (answers.isEmpty()) {
            return Optional.of(
                    "The ZooKeeper servers are being asked whether they need this one: ask again in some seconds.");
        }
        List<Entry> down = servers.entries().stream()
                .filter(each -> !each.equals(own.get()))
                .filter(each -> !answer(each).serves() || leaving.contains(each.address()))
                .toList();
        int rest = servers.size() - 1 - down.size();
        int majority = servers.size() / 2 + 1;
        if (rest >= majority) {
            return Optional.empty();
        }
        if (down.isEmpty()) {
            return Optional.of(
                    "The ZooKeeper server of this container is always needed: all instances are cut off while it"
                            + " is stopped.");
        }
        String addresses = down.stream().map(Entry::address).map(names).collect(Collectors.joining(", "));
        if (rest + 1 < majority) {
            return Optional.of(
                    "Of " + servers.size() + " ZooKeeper servers " + majority + " must serve, and too few do.");
        }
        return Optional.of("Without the ZooKeeper server of this container " + rest + " of " + servers.size()
                + " would serve, and " + majority + " are a majority: all instances would be cut off. Wait for "
                + addresses + ".");
    }

    /** Returns why servers should end late when all are restarted, by address. */
    Map<String, String> late() {
        return servers.size() == 1
                ? Map.of(servers.entry(1).address(), "all are cut off while its ZooKeeper server is down")
                : leader().map(each -> Map.of(each.address(), "its ZooKeeper server leads the ensemble"))
                        .orElse(Map.of());
    }

    /** Returns the section for the topology page, with the names of instances by the addresses of the servers in their containers. */
    AddedSection.Content content(Map<String, String> instances) {
        List<String> sentences = new ArrayList<>(problems);
        sentences.add(sentence);
        disk.ifPresent(sentences::add);
        sentences.add(leader().map(entry -> "Server " + entry.id() + " leads.")
                .orElse(
                        answers.isEmpty()
                                ? "The servers are being asked: reload this page for their answers."
                                : "No server leads: the servers have no majority now."));
        return new AddedSection.Content(
                "Servers",
                sentences,
                List.of("Server", "Address", "State", "Behind", "Instance"),
                servers.entries().stream().map(each -> row(each, instances)).toList());
    }

    /** Returns what each server does, by address; nothing before they have been asked. */
    Map<String, String> states() {
        return answers.isEmpty()
                ? Map.of()
                : servers.entries().stream()
                        .collect(Collectors.toMap(
                                Entry::address,
                                each -> "server " + each.id()
                                        + role(answer(each).kind()),
                                (one, other) -> one));
    }

    private List<String> row(Entry entry, Map<String, String> instances) {
        OptionalLong behind = behind(answer(entry));
        return List.of(
                String.valueOf(entry.id()),
                entry.address(),
                answers.isEmpty() ? "unknown" : state(answer(entry).kind()),
                behind.isPresent() ? behind.getAsLong() + " transactions" : "unknown",
                instances.getOrDefault(
                        entry.address(), own.filter(entry::equals).isPresent() ? "this container" : ""));
    }

    private static String role(Kind kind) {
        return switch (kind) {
            case LEADER -> ", which leads the servers";
            case FOLLOWER -> "";
            default -> ", " + state(kind);
        };
    }

    private static String state(Kind kind) {
        return switch (kind) {
            case LEADER -> "leader";
            case FOLLOWER -> "follower";
            case SILENT, MUTE -> "down";
            default -> "not serving";
        };
    }

    /** Returns how many transactions a server is behind the leader; empty unless both serve in the same epoch. */
    private OptionalLong behind(Answer answer) {
        return leader().map(this::answer).stream()
                .filter(leader -> answer.serves() && leader.zxid() >> EPOCH_BITS == answer.zxid() >> EPOCH_BITS)
                // They are asked one after the other, so one that is asked later may be ahead.
                .mapToLong(leader -> Math.max(0, leader.zxid() - answer.zxid()))
                .findFirst();
    }
}
