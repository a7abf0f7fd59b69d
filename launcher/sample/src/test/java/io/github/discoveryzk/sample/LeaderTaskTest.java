// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.sample.FencedStore.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderTaskTest {

    @TempDir
    Path directory;

    private boolean held = true;
    private FencedStore store;
    private LeaderTask task;

    @BeforeEach
    void make() {
        store = new FencedStore(directory.resolve("store"));
        task = new LeaderTask(new Lease(), Optional.of(store));
    }

    @AfterEach
    void stop() {
        task.stop();
    }

    @Test
    void writesWithTheTokenOfItsLeadership() throws IOException {
        task.work(store);
        task.work(store);
        Entry entry = store.read().orElseThrow();
        assertThat(entry.token()).isEqualTo(7);
        assertThat(entry.text()).startsWith("2 by process");
        assertThat(task.isStopped()).isFalse();
    }

    @Test
    void stopsWhenTheLeaseIsOver() throws IOException {
        held = false;
        task.work(store);
        assertThat(store.read()).isEmpty();
        assertThat(task.isStopped()).isTrue();
    }

    /** The process was paused between the check and the write. */
    @Test
    void stopsWhenTheStoreHasSeenALaterLeader() throws IOException {
        store.write(8, "of the later leader");
        task.work(store);
        assertThat(store.read()).contains(new Entry(8, "of the later leader"));
        assertThat(task.isStopped()).isTrue();
    }

    @Test
    void triesAgainWhenTheFileCannotBeWritten() {
        task.work(new FencedStore(directory.resolve("missing").resolve("store")));
        assertThat(task.isStopped()).isFalse();
    }

    private final class Lease implements LeaderLease {

        @Override
        public long token() {
            return 7;
        }

        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public Duration remaining() {
            return held ? Duration.ofSeconds(1) : Duration.ZERO;
        }
    }
}
