// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.client;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport.PeerExchanges;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.trust.Envelope;
import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.RequestPath;
import io.github.discoveryzk.connectors.wire.WireLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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

    private final String ownId;
    private final Transfer transfer;
    private final ScheduledExecutorService timer;
    private final Executor executor;
    private final MessageBody bodies;
    private final Envelope envelope;
    private HttpClient client;

    /**
     * Makes a client without threads of its own.
     *
     * @param ownId the id of this instance
     * @param limits the limits of replies, and of announcements that are sent
     * @param timer ends exchanges that take too long
     * @param executor runs the exchanges
     */
    PeerClient(
            String ownId,
            ConnectorSettings settings,
            WireLimits limits,
            Time time,
            ScheduledExecutorService timer,
            Executor executor) {
        this.ownId = ownId;
        this.transfer = settings.transfer();
        this.timer = timer;
        this.executor = executor;
        bodies = new MessageBody(limits);
        envelope = new Envelope(settings.trust(), limits, time.wall());
    }

    @Override
    public CompletableFuture<Result> ping(URI url, Message message) {
        return new Exchange(url, Optional.of(message)).begin();
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
                    .connectTimeout(transfer.connectTimeout())
                    .executor(executor)
                    .build();
        }
        return client;
    }

    /** Returns a URL without user and password, for logs and reports. A slash in a password may hide where it ends. */
    static String shown(URI url) {
        return url.toString().replaceFirst("//.*@", "//");
    }

    /** Returns what a status means that is not 200. */
    private static String meaning(int status) {
        return switch (status) {
            case 401, 403 -> "check user and password in the URL, and what is in front of the peer";
            case 404 -> "it does not let this instance connect; check the allow list of the peer, or that the shared key"
                    + " and the lifetime of keys are the same on both sides, and the path of the URL";
            case 413 -> "the announcement is too large for it: its length, or the number of instances or of properties";
            case 500 -> "it failed; its log says why, and signatures without encryption are a cause with peers of Sling";
            case 503 -> "its cluster has no settled view now, or one of its limits is reached";
            default -> "a connector does not reply so; the URL may lead to another server, or through a proxy";
        };
    }

    /** One exchange: a PUT with a message, a DELETE without one. */
    private final class Exchange {
        private final URI url;
        private final String shown;
        private final Optional<Message> message;
        private final CompletableFuture<Result> result = new CompletableFuture<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private volatile long sent;
        private volatile CompletableFuture<?> running = CompletableFuture.completedFuture(null);
        private volatile boolean replied;
        private boolean repeated;

        Exchange(URI url, Optional<Message> message) {
            this.url = url;
            this.shown = shown(url);
            this.message = message;
        }

        CompletableFuture<Result> begin() {
            if (!RequestPath.isUsable(ownId)) {
                fail("The id of this instance, " + ownId + ", has a dot and cannot be part of the path of a request.");
                return result;
            }
            Duration limit = transfer.connectTimeout().plus(transfer.exchangeTimeout());
            Runnable tookTooLong = () -> fail(shown + (replied ? " did not end its reply" : " did not reply")
                    + " within " + limit.toSeconds() + " s.");
            attempt(() -> {
                ScheduledFuture<?> end = timer.schedule(tookTooLong, limit.toMillis(), TimeUnit.MILLISECONDS);
                result.whenComplete((any, cancelled) -> {
                    end.cancel(false);
                    running.cancel(true);
                });
                executor.execute(() -> attempt(this::send));
            });
            return result;
        }

        /** Does a part of the exchange, whose failure ends it. */
        private void attempt(Step step) {
            try {
                if (!result.isDone()) {
                    step.take();
                }
            } catch (InvalidMessage e) {
                fail("The reply of " + shown + " cannot be accepted: " + e.getMessage()
                        + ". The URL may lead to another server, or the keys of the two sides differ.");
            } catch (RejectedExecutionException e) {
                fail("The connectors of this instance are stopping.");
            } catch (RuntimeException e) {
                failUnexpectedly(e);
            }
        }

        private void send() {
            CompletableFuture<HttpResponse<Void>> response = client().sendAsync(request(), this::bodyOf);
            running = response;
            if (result.isDone()) {
                response.cancel(true);
            }
            response.whenCompleteAsync((reply, error) -> attempt(() -> ended(reply, error)), executor);
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // Repetitions follow one another.
        private HttpRequest request() {
            URI target = URI.create(shown + "." + ownId + ".json");
            HttpRequest.Builder request = HttpRequest.newBuilder(target).header("Accept-Encoding", "gzip");
            Optional.ofNullable(url.getUserInfo())
                    .map(user -> user.contains(":") ? user : user + ":")
                    .map(user -> Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)))
                    .ifPresent(user -> request.header("Authorization", "Basic " + user));
            if (message.isEmpty()) {
                envelope.sealDeletion(target.getRawPath()).forEach(request::header);
                return request.DELETE().build();
            }
            Envelope.Sealed sealed = envelope.seal(
                    // An equal message would count as a replay.
                    message.get().createdAt(message.get().created() + (repeated ? 1 : 0)),
                    Direction.REQUEST,
                    target.getRawPath(),
                    transfer.gzip());
            sealed.headers().forEach(request::header);
            sent += sealed.body().length;
            return request.PUT(BodyPublishers.ofByteArray(sealed.body())).build();
        }

        /** Judges the headers of the reply. Its body is not read if they end the exchange. */
        private BodySubscriber<Void> bodyOf(ResponseInfo info) {
            replied = true;
            if (info.statusCode() != OK) {
                fail(shown + " replied with status " + info.statusCode() + ": " + meaning(info.statusCode()) + ".");
            } else if (message.isEmpty()) {
                complete(Optional.empty(), Optional.empty());
            } else {
                attempt(() -> bodies.checkLength(
                        info.headers().firstValueAsLong("Content-Length").orElse(-1)));
            }
            return BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(this::add));
        }

        private void add(byte[] part) {
            attempt(() -> {
                body.writeBytes(part);
                bodies.checkLength(body.size());
            });
        }

        private void ended(HttpResponse<Void> response, Throwable error) throws InvalidMessage {
            if (error != null) {
                judge(error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            } else if (body.size() == 0) {
                fail(shown + " replied with status 200 and no body: the URL may lead to another server.");
            } else {
                Function<String, Optional<String>> headers = response.headers()::firstValue;
                String path = response.request().uri().getRawPath();
                complete(
                        Optional.of(envelope.open(
                                envelope.verify(headers), Direction.REPLY, path, body.toByteArray(), headers)),
                        Optional.empty());
            }
        }

        private void judge(Throwable error) {
            if (error instanceof HttpConnectTimeoutException || error instanceof ConnectException) {
                fail("No connection to " + shown + ": check host, port and firewalls, and that the peer runs.");
            } else if (error instanceof IOException && !replied && !repeated) {
                repeated = true;
                send();
            } else if (error instanceof IOException) {
                fail("The connection to " + shown + " ended before the reply was complete (" + error.getMessage()
                        + ").");
            } else {
                failUnexpectedly(error);
            }
        }

        private void failUnexpectedly(Throwable error) {
            LOG.error("An exchange with {} failed unexpectedly", shown, error);
            fail("The exchange with " + shown + " failed unexpectedly: " + error + ".");
        }

        private void fail(String sentence) {
            complete(Optional.empty(), Optional.of(sentence));
        }

        private void complete(Optional<Message> reply, Optional<String> failure) {
            result.complete(new Result(reply, failure, sent, body.size()));
        }
    }

    private interface Step {
        void take() throws InvalidMessage;
    }
}
