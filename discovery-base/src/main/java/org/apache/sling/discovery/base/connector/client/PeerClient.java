// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.apache.sling.discovery.base.connector.trust.Direction;
import org.apache.sling.discovery.base.connector.trust.Envelope;
import org.apache.sling.discovery.base.connector.trust.Trust;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.MessageBody;
import org.apache.sling.discovery.base.connector.wire.RequestPath;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.base.environment.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges with peers over HTTP/1.1 by the client of the JDK. Redirects are not followed, and proxies are those of the JVM. The
 * signature is over the path as it is sent, which is what servers verify.
 *
 * <p>An exchange ends when connect timeout and exchange timeout together are over, whatever it waits for: a name service, the
 * connection, the headers or the rest of a body. If the connection breaks before the first header, the request is sent once more within
 * the same time, because a server may close a connection that is kept alive at the moment when it is used again.
 *
 * <p>Instances may be used by several threads.
 */
final class PeerClient implements PeerExchanges {
    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);

    private static final int OK = 200;

    private final Client self;
    private final ScheduledExecutorService timer;
    private final Executor executor;
    private final MessageBody body;
    private final Envelope envelope;
    private HttpClient client;

    /**
     * What a client is configured to do.
     *
     * @param ownId the id of this instance
     * @param trust how messages are signed; empty when they are not
     */
    record Client(String ownId, Transfer transfer, Optional<Trust> trust) {}

    /**
     * Makes a client without threads of its own.
     *
     * @param limits the limits of replies, and of announcements that are sent
     * @param timer ends exchanges that take too long
     * @param executor runs the exchanges
     */
    PeerClient(Client self, WireLimits limits, Time time, ScheduledExecutorService timer, Executor executor) {
        this.self = self;
        this.timer = timer;
        this.executor = executor;
        body = new MessageBody(limits);
        envelope = new Envelope(self.trust, limits, time.wall());
    }

    @Override
    public CompletableFuture<Result> ping(URI url, Announcement announcement) {
        return new Exchange(url, Optional.of(announcement)).begin();
    }

    @Override
    public CompletableFuture<Result> disconnect(URI url) {
        return new Exchange(url, Optional.empty()).begin();
    }

    /** Returns the HTTP client. To make it loads certificates, so it is not made on the threads of callers. */
    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(self.transfer.connectTimeout())
                    .executor(executor)
                    .build();
        }
        return client;
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    /** One exchange: a PUT with an announcement, a DELETE without one. */
    private final class Exchange {
        private final URI url;
        private final Optional<Announcement> announcement;
        private final CompletableFuture<Result> result = new CompletableFuture<>();
        private final AtomicLong received = new AtomicLong();
        private volatile long sent;
        private volatile CompletableFuture<?> running;
        private volatile boolean replied;
        private boolean repeated;

        Exchange(URI url, Optional<Announcement> announcement) {
            this.url = url;
            this.announcement = announcement;
        }

        CompletableFuture<Result> begin() {
            Optional<String> problem = PeerUrl.problem(url);
            if (problem.isPresent()) {
                fail(problem.get());
                return result;
            }
            if (!RequestPath.isUsable(self.ownId)) {
                fail("The id of this instance, " + self.ownId
                        + ", has a dot and cannot be part of the path of a request.");
                return result;
            }
            Duration limit = self.transfer.connectTimeout().plus(self.transfer.exchangeTimeout());
            try {
                ScheduledFuture<?> end =
                        timer.schedule(() -> tookTooLong(limit), limit.toMillis(), TimeUnit.MILLISECONDS);
                result.whenComplete((any, cancelled) -> {
                    end.cancel(false);
                    endRunning();
                });
                executor.execute(this::send);
            } catch (RejectedExecutionException e) {
                fail("The connectors of this instance are stopping.");
            }
            return result;
        }

        private void tookTooLong(Duration limit) {
            fail(PeerUrl.shown(url) + (replied ? " did not end its reply within " : " did not reply within ")
                    + seconds(limit) + ".");
        }

        private void endRunning() {
            CompletableFuture<?> now = running;
            if (now != null) {
                now.cancel(true);
            }
        }

        private void send() {
            if (result.isDone()) {
                return;
            }
            try {
                HttpRequest request = request();
                CompletableFuture<HttpResponse<byte[]>> response = client().sendAsync(request, this::bodyOf);
                running = response;
                if (result.isDone()) {
                    endRunning();
                }
                response.whenCompleteAsync(this::ended, executor);
            } catch (RejectedExecutionException e) {
                fail("The connectors of this instance are stopping.");
            } catch (RuntimeException e) {
                failUnexpectedly(e);
            }
        }

        private HttpRequest request() {
            URI target = PeerUrl.ofRequests(url, self.ownId);
            HttpRequest.Builder request = HttpRequest.newBuilder(target).header("Accept-Encoding", "gzip");
            PeerUrl.authorization(url).ifPresent(value -> request.header("Authorization", value));
            if (announcement.isEmpty()) {
                envelope.sealDeletion(target.getRawPath()).forEach(request::header);
                return request.DELETE().build();
            }
            Announcement message = announcement.get();
            Envelope.Sealed sealed = envelope.seal(
                    // An equal message would count as a replay.
                    repeated ? message.stamped(message.created() + 1) : message,
                    Direction.REQUEST,
                    target.getRawPath(),
                    self.transfer.gzip());
            sealed.headers().forEach(request::header);
            sent += sealed.body().length;
            return request.PUT(BodyPublishers.ofByteArray(sealed.body())).build();
        }

        private BodySubscriber<byte[]> bodyOf(ResponseInfo info) {
            replied = true;
            if (info.statusCode() != OK || announcement.isEmpty()) {
                return ReplyBody.skipped();
            }
            long announced = info.headers().firstValueAsLong("Content-Length").orElse(-1);
            return new ReplyBody(body, announced, received::addAndGet);
        }

        private void ended(HttpResponse<byte[]> response, Throwable error) {
            if (result.isDone()) {
                return;
            }
            try {
                if (error == null) {
                    judge(response);
                } else {
                    judge(error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
                }
            } catch (InvalidMessage e) {
                fail("The reply of " + PeerUrl.shown(url) + " cannot be accepted: " + e.getMessage() + "."
                        + FailureText.advice(e.reason()));
            } catch (RuntimeException e) {
                failUnexpectedly(e);
            }
        }

        private void judge(HttpResponse<byte[]> response) throws InvalidMessage {
            if (response.statusCode() != OK) {
                fail(PeerUrl.shown(url) + " replied with status " + response.statusCode() + ": "
                        + FailureText.meaning(response.statusCode()) + ".");
            } else if (announcement.isEmpty()) {
                complete(Optional.empty(), Optional.empty());
            } else if (response.body().length == 0) {
                fail(PeerUrl.shown(url) + " replied with status 200 and no body: the URL may lead to another server.");
            } else {
                complete(Optional.of(read(response)), Optional.empty());
            }
        }

        private Announcement read(HttpResponse<byte[]> response) throws InvalidMessage {
            Function<String, Optional<String>> headers = response.headers()::firstValue;
            String path = response.request().uri().getRawPath();
            return envelope.open(envelope.verify(headers), Direction.REPLY, path, response.body(), headers);
        }

        private void judge(Throwable error) throws InvalidMessage {
            Throwable cause = error;
            for (int i = 0; i < 10 && cause != null; i++) {
                if (cause instanceof InvalidMessage) {
                    throw (InvalidMessage) cause;
                }
                cause = cause.getCause();
            }
            if (error instanceof HttpConnectTimeoutException) {
                fail("No connection to " + PeerUrl.shown(url) + " within " + seconds(self.transfer.connectTimeout())
                        + ": check host, port and firewalls.");
            } else if (error instanceof ConnectException) {
                boolean unknown = error.getCause() instanceof UnresolvedAddressException
                        || error.getCause() != null
                                && error.getCause().getCause() instanceof UnresolvedAddressException;
                fail(
                        unknown
                                ? "The host of " + PeerUrl.shown(url) + " is not known to the name service."
                                : "The connection to " + PeerUrl.shown(url)
                                        + " was refused: check that the peer runs, and host and port.");
            } else if (error instanceof SSLException) {
                fail("TLS with " + PeerUrl.shown(url) + " failed: " + error.getMessage());
            } else if (error instanceof IOException) {
                if (!replied && !repeated) {
                    repeated = true;
                    send();
                } else {
                    fail("The connection to " + PeerUrl.shown(url) + " ended before the reply was complete ("
                            + error.getMessage() + ").");
                }
            } else {
                failUnexpectedly(error);
            }
        }

        private void failUnexpectedly(Throwable error) {
            LOG.error("An exchange with {} failed unexpectedly", PeerUrl.shown(url), error);
            fail("The exchange with " + PeerUrl.shown(url) + " failed unexpectedly: " + error + ".");
        }

        private void fail(String sentence) {
            complete(Optional.empty(), Optional.of(sentence));
        }

        private void complete(Optional<Announcement> reply, Optional<String> failure) {
            result.complete(new Result(reply, failure, sent, received.get()));
        }
    }
}
