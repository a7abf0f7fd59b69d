// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private final List<String> lines = new ArrayList<>();
    private long now = 1_000;
    private final OutageLog log = new OutageLog(
            "a:2181,b:2181",
            () -> now,
            sentence -> lines.add("WARN " + sentence),
            sentence -> lines.add("INFO " + sentence));

    private void pass(long millis) {
        for (long end = now + millis; now < end; now++) {
            log.remind();
        }
        log.remind();
    }

    @Test
    void aLossIsToldOnceThenEachMinuteThenItsEnd() {
        log.open();
        pass(100);
        log.connected();
        pass(600_000);
        assertThat(lines).as("a quick first connection").isEmpty();

        log.lost();
        log.lost();
        assertThat(lines).hasSize(1).allMatch(line -> line.startsWith("WARN The connection to ZooKeeper at a:2181,"));
        pass(185_000);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).contains(" for 60 s; ", "Check whether the servers run", "ClientCnxn");
        assertThat(lines.get(3)).startsWith("WARN ").contains(" for 3 min; ");
        log.connected();
        log.connected();
        pass(600_000);
        assertThat(lines.subList(4, lines.size()))
                .containsExactly("INFO The connection to ZooKeeper at a:2181,b:2181 is back after 3 min.");
    }

    @Test
    void aFirstConnectionThatTakesLongIsToldToo() {
        log.open();
        pass(4_999);
        assertThat(lines).isEmpty();
        pass(60_001);
        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("WARN There has been no connection"));
        log.connected();
        assertThat(lines).last().isEqualTo("INFO The connection to ZooKeeper at a:2181,b:2181 is back after 65 s.");
    }
}
