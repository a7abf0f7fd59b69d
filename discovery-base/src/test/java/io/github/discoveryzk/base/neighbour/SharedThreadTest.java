// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ_WRITE)
class SharedThreadTest {

    @Test
    void anEventThatArrivesAfterTheEndIsDropped() throws IOException {
        SharedThread thread = SharedThread.acquire();
        SharedThread.release();
        Watcher.await().until(thread.executor::isTerminated);
        assertThat(thread.channels.isShutdown()).isTrue();
        assertThatCode(() -> thread.executor.execute(() -> {})).doesNotThrowAnyException();
    }
}
