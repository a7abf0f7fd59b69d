// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.follow;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Has requests of several senders sent one after the other, each when the one before is replied to. Confined to the store's thread. */
public final class Turns {
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Sends a request when it has its turn, whatever becomes of those before. */
    public <T> CompletableFuture<T> take(Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> reply = last.handle((done, thrown) -> null).thenCompose(same -> request.get());
        last = reply;
        return reply;
    }
}
