// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnsTest {

    @Test
    void aRequestIsSentWhenThoseBeforeAreRepliedToWhateverBecomesOfThem() {
        Turns turns = new Turns();
        List<CompletableFuture<String>> sent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            turns.take(() -> {
                sent.add(new CompletableFuture<>());
                return sent.get(sent.size() - 1);
            });
        }
        assertThat(sent).hasSize(1);
        sent.get(0).completeExceptionally(new IllegalStateException("lost"));
        assertThat(sent).hasSize(2);
        sent.get(1).complete("reply");
        assertThat(sent).hasSize(3);

        CompletableFuture<String> failed = turns.take(() -> {
            throw new IllegalStateException("not sent");
        });
        sent.get(2).complete("reply");
        assertThat(failed).isCompletedExceptionally();
        assertThat(turns.take(() -> CompletableFuture.completedFuture("next"))).isCompletedWithValue("next");
    }
}
