// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.data.Registration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What other parts of an instance do before it steps down. */
class PreparedStepDownTest extends VirtualCluster {

    private final List<VirtualInstance> both = cluster("a", "b");
    private final VirtualInstance a = both.get(0);
    private final CompletableFuture<Void> prepared = new CompletableFuture<>();
    private Registration registration;

    @BeforeEach
    void prepare() {
        registration = a.instance().local().beforeStepDown(() -> prepared);
    }

    @Test
    void isWaitedFor() {
        assertThat(a.instance().operator().stepDown().success()).isTrue();
        time.run(4_000);
        assertThat(b().order()).containsExactly("a", "b");
        prepared.complete(null);
        assertThat(b().awaitOrder("b", "a")).isTrue();
    }

    private VirtualInstance b() {
        return both.get(1);
    }

    @Test
    void isWaitedForFiveSecondsAtMost() {
        a.instance().operator().stepDown();
        assertThat(b().awaitOrder("b", "a")).isTrue();
        assertThat(prepared).isNotDone();
    }

    @Test
    void mayFail() {
        prepared.completeExceptionally(new IllegalStateException("as planned"));
        a.instance().operator().stepDown();
        assertThat(b().awaitOrder("b", "a")).isTrue();
    }

    @Test
    void mayThrow() {
        registration.close();
        a.instance().local().beforeStepDown(() -> {
            throw new IllegalStateException("as planned");
        });
        assertThat(a.instance().operator().stepDown().success()).isTrue();
        assertThat(b().awaitOrder("b", "a")).isTrue();
    }

    @Test
    void thenNothingIsHeldAlthoughTheNodeIsThere() {
        a.instance().operator().stepDown();
        time.run(4_000);
        assertThat(a.instance().local().stay().orElseThrow().heldMillis()).isPositive();
        prepared.complete(null);
        assertThat(isPartingWithin(1_000)).isTrue();
    }

    @Test
    void nothingIsHeldByAnInstanceThatLeaves() {
        a.instance().leave();
        assertThat(isPartingWithin(1_000)).isTrue();
    }

    private boolean isPartingWithin(long millis) {
        return time.runUntil(
                () -> a.instance()
                        .local()
                        .stay()
                        .filter(each -> each.heldMillis() <= 0)
                        .isPresent(),
                millis);
    }

    @Test
    void isRemoved() {
        registration.close();
        a.instance().operator().stepDown();
        time.run(4_000);
        assertThat(b().order()).containsExactly("b", "a");
    }
}
