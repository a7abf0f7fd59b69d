// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.ensemble;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.zk.server.EnsembleReport.Role;
import org.apache.sling.discovery.zk.server.EnsembleReport.Server;
import org.apache.sling.discovery.zk.server.ensemble.Answer.Kind;

/** The servers as their answers show them. */
record EnsembleView(Servers list, Optional<Integer> own, Map<Integer, Answer> answers) {
    private static final int EPOCH_BITS = 32;

    List<Server> servers() {
        return list.entries().stream().map(this::server).toList();
    }

    private Server server(Entry entry) {
        Answer answer = answers.getOrDefault(entry.id(), Answer.SILENT);
        return new Server(
                entry.id(),
                entry.address(),
                role(answer.kind()),
                own.filter(id -> id == entry.id()).isPresent(),
                behind(answer));
    }

    private static Role role(Kind kind) {
        return switch (kind) {
            case LEADER -> Role.LEADER;
            case FOLLOWER -> Role.FOLLOWER;
            case SILENT, MUTE -> Role.DOWN;
            default -> Role.NOT_SERVING;
        };
    }

    private OptionalLong behind(Answer answer) {
        return answers.values().stream()
                .filter(each -> each.kind() == Kind.LEADER)
                .filter(leader -> answer.serves() && leader.zxid() >> EPOCH_BITS == answer.zxid() >> EPOCH_BITS)
                // They are asked one after the other, so one that is asked later may be ahead.
                .mapToLong(leader -> Math.max(0, leader.zxid() - answer.zxid()))
                .findFirst();
    }
}
