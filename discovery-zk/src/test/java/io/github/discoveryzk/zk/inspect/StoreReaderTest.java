// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreReaderTest {
    private final Deque<Asked> asked = new ArrayDeque<>();

    @Test
    void aFewAreAskedForAtATimeAndAllAreToldInOrder() {
        List<Integer> all = IntStream.range(0, 90).boxed().toList();
        CompletableFuture<List<String>> read = StoreReader.readAll(all, this::ask);
        int answered = 0;
        while (!asked.isEmpty()) {
            assertThat(asked).hasSizeLessThanOrEqualTo(20);
            // The last one first, as no server does.
            asked.removeLast().answer();
            answered++;
        }

        assertThat(answered).isEqualTo(90);
        assertThat(read).isCompletedWithValue(all.stream().map(String::valueOf).toList());
    }

    private CompletableFuture<String> ask(int number) {
        Asked one = new Asked(number, new CompletableFuture<>());
        asked.add(one);
        return one.notified();
    }

    private record Asked(int number, CompletableFuture<String> notified) {
        void answer() {
            notified.complete(String.valueOf(number));
        }
    }
}
