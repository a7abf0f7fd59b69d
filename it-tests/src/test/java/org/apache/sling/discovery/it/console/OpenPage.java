// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

/** The requests of a page that stays open: the page, and then the stream of changes. */
public final class OpenPage implements AutoCloseable {

    private final AtomicInteger events = new AtomicInteger();
    private final CompletableFuture<Flow.Subscription> stream = new CompletableFuture<>();
    private final CompletableFuture<HttpResponse<Void>> end;

    /** Opens the page with that address. */
    public OpenPage(HttpClient client, URI address) {
        Visitor visitor = new Visitor(client, true);
        end = visitor.ask(address).thenCompose(page -> visitor.listen(URI.create(address + ".events"), new Lines()));
    }

    /** Returns how many events it has received. */
    public int events() {
        return events.get();
    }

    boolean listens() {
        return stream.isDone() && !end.isDone();
    }

    @Override
    public void close() {
        stream.thenAccept(Flow.Subscription::cancel);
    }

    private final class Lines implements Flow.Subscriber<String> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            stream.complete(subscription);
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.startsWith("data:")) {
                events.incrementAndGet();
            }
        }

        @Override
        public void onError(Throwable failure) {
            stream.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            stream.completeExceptionally(new IllegalStateException("the stream has ended"));
        }
    }
}
