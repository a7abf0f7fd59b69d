// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnswerTest {

    @Test
    void aServerThatServes() {
        assertThat(Answer.read(
                        "Zookeeper version: 3.9.5\nZxid: 0x30000000a\nMode: follower\nNode count: 5\n",
                        "initLimit=40\nserver.1=a:1:2:participant;a:3\nserver.2=b:1:2:participant;b:3\nversion=0\n"))
                .isEqualTo(new Answer(Kind.FOLLOWER, 0x30000000aL, Set.of(1, 2)));
        assertThat(Answer.read("Mode: standalone\n", "").kind()).isEqualTo(Kind.LEADER);
    }

    @Test
    void aServerThatDoesNotServe() {
        assertThat(Answer.read("This ZooKeeper instance is not currently serving requests\n", "")
                        .kind())
                .isEqualTo(Kind.NOT_SERVING);
        assertThat(Answer.read("", "").kind()).isEqualTo(Kind.MUTE);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"EMPTY", "FORMING", "GROWING"})
    void aServerThatWaits(Kind kind) {
        assertThat(Answer.read(Answer.waiting(kind), "")).isEqualTo(Answer.of(kind));
    }
}
