// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.function.LongConsumer;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.MessageBody;
import org.apache.sling.discovery.base.connector.wire.WireLimits;

/** Collects the body of a reply and ends the exchange as soon as it is longer than the limit. */
final class ReplyBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> collected = BodySubscribers.ofByteArray();
    private final MessageBody limits;
    private final LongConsumer arrived;
    private Subscription subscription;
    private long length;

    /**
     * Begins with a body.
     *
     * @param announced its length according to the headers. If that is too long, nothing is read
     * @param arrived receives the length of each part that arrives
     */
    ReplyBody(MessageBody limits, long announced, LongConsumer arrived) {
        this.limits = limits;
        this.arrived = arrived;
        check(announced);
    }

    /** Returns one that reads nothing. */
    static ReplyBody skipped() {
        ReplyBody skipped = new ReplyBody(new MessageBody(WireLimits.DEFAULT), 0, any -> {});
        skipped.collected.onComplete();
        return skipped;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return collected.getBody();
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        if (isDone()) {
            given.cancel();
        } else {
            collected.onSubscribe(given);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (isDone()) {
            return;
        }
        int count = buffers.stream().mapToInt(Buffer::remaining).sum();
        arrived.accept(count);
        length += count;
        check(length);
        if (isDone()) {
            subscription.cancel();
        } else {
            collected.onNext(buffers);
        }
    }

    private void check(long bytes) {
        try {
            limits.checkLength(bytes);
        } catch (InvalidMessage e) {
            collected.onError(e);
        }
    }

    private boolean isDone() {
        return getBody().toCompletableFuture().isDone();
    }

    @Override
    public void onError(Throwable error) {
        collected.onError(error);
    }

    @Override
    public void onComplete() {
        collected.onComplete();
    }
}
