// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.ensemble;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.report.AddedSection;
import org.apache.sling.discovery.zk.server.ensemble.Answer.Kind;

/**
 * The ensemble, as one container sees it.
 *
 * @param sentence what the server of this container does, or why this container has none
 * @param problems what needs attention, a sentence each
 * @param servers the list
 * @param own the entry of this container, if it has a server
 * @param answers the answers of all entries, by id
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

    /** Returns the server that leads. Its container is restarted last, so that the leader changes only once. */
    Optional<Entry> leader() {
        return servers.entries().stream()
                .filter(each -> answer(each).kind() == Kind.LEADER)
                .findFirst();
    }

    private Answer answer(Entry entry) {
        return answers.getOrDefault(entry.id(), Answer.SILENT);
    }

    /** Returns the section for the topology page. */
    AddedSection.Content content() {
        List<String> sentences = new ArrayList<>(problems);
        sentences.add(sentence);
        disk.ifPresent(sentences::add);
        sentences.add(leader().map(entry -> "Server " + entry.id()
                        + " leads: in a rolling restart, restart the container with " + entry.address() + " last.")
                .orElse("No server leads: the servers have no majority now."));
        return new AddedSection.Content(
                "ZooKeeper servers in the containers",
                sentences,
                List.of("Server", "Address", "State", "Behind", "This container"),
                servers.entries().stream().map(this::row).toList());
    }

    private List<String> row(Entry entry) {
        OptionalLong behind = behind(answer(entry));
        return List.of(
                String.valueOf(entry.id()),
                entry.address(),
                state(answer(entry).kind()),
                behind.isPresent() ? behind.getAsLong() + " transactions" : "unknown",
                own.filter(entry::equals).isPresent() ? "yes" : "");
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
