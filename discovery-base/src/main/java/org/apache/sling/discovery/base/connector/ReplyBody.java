// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.function.LongConsumer;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.MessageBody;

/** Collects the body of a reply and ends the exchange as soon as it is longer than the limit. */
final class ReplyBody implements BodySubscriber<byte[]> {
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final MessageBody limits;
    private final LongConsumer arrived;
    private Subscription subscription;

    /**
     * Makes one for a body of unknown length.
     *
     * @param arrived is told the length of what arrives
     */
    ReplyBody(MessageBody limits, LongConsumer arrived) {
        this.limits = limits;
        this.arrived = arrived;
    }

    /** Returns one that reads nothing. */
    static ReplyBody skipped() {
        ReplyBody skipped = new ReplyBody(null, null);
        skipped.body.complete(new byte[0]);
        return skipped;
    }

    /** Refuses the body before any of it is read if that is its length according to the headers. */
    void expect(long length) {
        check(length);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        if (body.isDone()) {
            given.cancel();
        } else {
            given.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (body.isDone()) {
                return;
            }
            arrived.accept(buffer.remaining());
            check(bytes.size() + (long) buffer.remaining());
            if (body.isDone()) {
                subscription.cancel();
                return;
            }
            byte[] chunk = new byte[buffer.remaining()];
            buffer.get(chunk);
            bytes.writeBytes(chunk);
        }
    }

    private void check(long length) {
        try {
            limits.checkLength(length);
        } catch (InvalidMessage e) {
            body.completeExceptionally(e);
        }
    }

    @Override
    public void onError(Throwable error) {
        body.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
