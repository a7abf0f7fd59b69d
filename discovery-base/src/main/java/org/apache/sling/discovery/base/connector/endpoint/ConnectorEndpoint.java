// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.sling.discovery.base.connector.registry.AnnouncementRegistry;
import org.apache.sling.discovery.base.connector.registry.PingOutcome;
import org.apache.sling.discovery.base.connector.trust.AllowList;
import org.apache.sling.discovery.base.connector.trust.Direction;
import org.apache.sling.discovery.base.connector.trust.Encryption;
import org.apache.sling.discovery.base.connector.trust.ReplayWindow;
import org.apache.sling.discovery.base.connector.trust.SharedKey;
import org.apache.sling.discovery.base.connector.trust.SignedHash;
import org.apache.sling.discovery.base.connector.trust.Trust;
import org.apache.sling.discovery.base.connector.trust.TrustHeaders;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.Excerpt;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;
import org.apache.sling.discovery.base.connector.wire.MessageBody;
import org.apache.sling.discovery.base.connector.wire.RequestPath;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.base.environment.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies to the peers that connect to this instance. It believes nothing before the sender is verified, and reads nothing without
 * limits. A sender that must not connect learns nothing, not even that this endpoint exists.
 *
 * <table>
 *   <caption>Status of a reply</caption>
 *   <tr><td>200</td><td>registered, or a loop announcement; for DELETE: disconnected</td></tr>
 *   <tr><td>400</td><td>the body is not an announcement, is of another version or of another owner than the path says, or cannot be
 *       decrypted or read</td></tr>
 *   <tr><td>404</td><td>not allowed, not signed or not verified, a replay, or another path; without signatures also an owner that
 *       is connected from another address, and a sender whose host name is needed while too many others are looked up</td></tr>
 *   <tr><td>405</td><td>neither PUT nor DELETE, from a sender who may connect</td></tr>
 *   <tr><td>408</td><td>the body did not arrive in time</td></tr>
 *   <tr><td>413</td><td>a limit is exceeded</td></tr>
 *   <tr><td>415</td><td>content coding, character set or text cannot be read</td></tr>
 *   <tr><td>503</td><td>the own view is not current, there are too many requests or connectors at once, or no more signed
 *       messages can be remembered</td></tr>
 * </table>
 *
 * <p>{@link #handle} is called by threads of a servlet container. It reads the body on that thread and never waits for the store.
 */
public final class ConnectorEndpoint {

    /** Reading a message of any length needs so many times the length: its bytes, its text and what is made of it. */
    private static final int COPIES = 12;

    private static final int MAX_PROCESSED = 8;
    private static final int MAX_SENDER_CHARACTERS = 60;

    /** A name service may take seconds, and every stranger may make this instance ask one. */
    static final int MAX_LOOKUPS = 8;

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int UNSUPPORTED = 415;
    private static final int UNAVAILABLE = 503;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectorEndpoint.class);

    private final Admission admission;
    private final AnnouncementRegistry registry;
    private final Time time;
    private final Refusals refusals;
    private final BiPredicate<String, String> leadsTo;
    private final AnnouncementCodec codec;
    private final AnnouncementCodec fitting;
    private final MessageBody bodies;
    private final Optional<Encryption> encryption;
    private volatile ReplayWindow seen = new ReplayWindow(ReplayWindow.DEFAULT_CAPACITY);
    private final BodyBudget budget;

    private final Semaphore lookups = new Semaphore(MAX_LOOKUPS);

    /** Held while nothing is read or written, so that no sender can make others wait. */
    private final Semaphore processing;

    /**
     * Who may connect.
     *
     * @param allowed the peers that may connect when messages are not signed
     * @param trust how messages are signed; empty when they are not
     * @param bodyTimeout how long the body of a request may take
     */
    public record Admission(AllowList allowed, Optional<Trust> trust, Duration bodyTimeout) {}

    public ConnectorEndpoint(Admission admission, AnnouncementRegistry registry, Time time, Refusals refusals) {
        this(admission, registry, time, refusals, WireLimits.DEFAULT, HostName::leadsTo);
    }

    /**
     * Makes an endpoint.
     *
     * @param limits what is read at most
     * @param leadsTo says whether a host name has a network address
     */
    ConnectorEndpoint(
            Admission admission,
            AnnouncementRegistry registry,
            Time time,
            Refusals refusals,
            WireLimits limits,
            BiPredicate<String, String> leadsTo) {
        this.admission = admission;
        this.registry = registry;
        this.time = time;
        this.refusals = refusals;
        this.leadsTo = leadsTo;
        this.codec = new AnnouncementCodec(limits);
        this.fitting = new AnnouncementCodec(Trust.writable(admission.trust, limits));
        this.bodies = new MessageBody(limits);
        this.budget = BodyBudget.of(limits, Runtime.getRuntime().maxMemory());
        long processed = Runtime.getRuntime().maxMemory() / COPIES / limits.bodyBytes();
        this.processing = new Semaphore((int) Math.max(1, Math.min(MAX_PROCESSED, processed)), true);
        this.encryption = Trust.encryption(admission.trust);
    }

    /** Goes on remembering the messages of the endpoint before, with the same keys. */
    public void follow(ConnectorEndpoint before) {
        seen = before.seen;
    }

    /** Replies to a request. It never throws because of what the request contains. */
    public ConnectorReply handle(ConnectorRequest request) {
        try {
            return switch (request.method()) {
                case "PUT" -> put(request);
                case "DELETE" -> delete(request);
                default -> {
                    admit(request);
                    throw new Refused(METHOD_NOT_ALLOWED, "the method is neither PUT nor DELETE");
                }
            };
        } catch (Refused e) {
            return refuse(request, e.status, e.getMessage());
        } catch (InvalidMessage e) {
            return refuse(request, status(e.reason()), e.getMessage());
        } catch (IOException e) {
            LOG.debug("The body of a request could not be read", e);
            return refuse(request, BAD_REQUEST, "the body could not be read to its end");
        }
    }

    private ConnectorReply refuse(ConnectorRequest request, int status, String reason) {
        refusals.add(sender(request), status, reason);
        return ConnectorReply.of(status);
    }

    /** Returns the address of the sender. A container behind a proxy may take it from a header, and may not know it. */
    private static String sender(ConnectorRequest request) {
        String address = request.remoteAddress();
        return address == null ? "unknown" : Excerpt.printable(address, MAX_SENDER_CHARACTERS);
    }

    private static int status(Reason reason) {
        return switch (reason) {
            case PATH, UNTRUSTED, ALTERED, REPLAYED -> NOT_FOUND;
            case TOO_LARGE -> TOO_LARGE;
            case ENCODING -> UNSUPPORTED;
            case MALFORMED, VERSION, ENCRYPTION -> BAD_REQUEST;
            case FULL -> UNAVAILABLE;
        };
    }

    private ConnectorReply put(ConnectorRequest request) throws IOException {
        String sender = RequestPath.senderId(request.pathInfo(), request.requestUri());
        Optional<SignedHash> hash = admit(request);
        bodies.checkLength(request.contentLength());
        try (BodyBudget.Share share = budget.open(sender(request))
                .orElseThrow(() -> new Refused(UNAVAILABLE, "too many requests are being read already"))) {
            byte[] bytes;
            try (InputStream body = request.body()) {
                bytes = bodies.read(new LimitedStream(body, share));
            }
            share.endReading();
            processing.acquireUninterruptibly();
            try {
                return put(request, sender, hash, bytes);
            } finally {
                processing.release();
            }
        }
    }

    private ConnectorReply put(ConnectorRequest request, String senderId, Optional<SignedHash> hash, byte[] bytes)
            throws IOException {
        String text = bodies.text(bytes, request.header("Content-Encoding"), request.header("Content-Type"));
        verify(hash, request, text);
        Announcement announcement =
                codec.read(encryption.isPresent() ? encryption.get().decrypt(text) : text);
        if (!announcement.ownerId().equals(senderId)) {
            throw new Refused(
                    BAD_REQUEST, "the announcement is of " + announcement.ownerId() + " and the path of " + senderId);
        }
        PingOutcome outcome = registry.receive(announcement, sender(request), bytes.length);
        if (outcome.reply().isEmpty()) {
            throw new Refused(
                    outcome.kind() == PingOutcome.Kind.ELSEWHERE ? NOT_FOUND : UNAVAILABLE, outcome.sentence());
        }
        LOG.debug("Ping of {}: {}", announcement.ownerId(), outcome.sentence());
        ConnectorReply reply = reply(request, outcome.reply().get());
        registry.sent(announcement.ownerId(), reply.body().length);
        return reply;
    }

    private ConnectorReply delete(ConnectorRequest request) throws IOException {
        String sender = RequestPath.senderId(request.pathInfo(), request.requestUri());
        Optional<SignedHash> hash = admit(request);
        Optional<String> nonce = request.header(TrustHeaders.NONCE);
        try {
            verify(hash, request, SharedKey.deletion(nonce));
        } catch (InvalidMessage e) {
            // Sling's clients send none, so all that they send while a key lives are equal.
            boolean ofSling = e.reason() == Reason.REPLAYED && nonce.isEmpty();
            if (!ofSling || !registry.isHeldFrom(sender, sender(request))) {
                throw e;
            }
        }
        if (!registry.disconnected(sender, sender(request))) {
            throw new Refused(NOT_FOUND, sender + " is connected from another address");
        }
        return ConnectorReply.of(OK);
    }

    /** Checks the sender, before anything but the path of the request is read. */
    private Optional<SignedHash> admit(ConnectorRequest request) throws IOException {
        if (admission.trust.isPresent()) {
            return Optional.of(admission
                    .trust
                    .get()
                    .key()
                    .verify(
                            request.header(TrustHeaders.HASH),
                            request.header(TrustHeaders.TRUST),
                            time.wall().getAsLong()));
        }
        Lookup lookup = new Lookup(request);
        if (!admission.allowed.allows(sender(request), lookup)) {
            throw new Refused(
                    NOT_FOUND,
                    lookup.refused
                            ? "too many host names are being looked up already"
                            : "the sender is not on the allow list");
        }
        return Optional.empty();
    }

    private void verify(Optional<SignedHash> hash, ConnectorRequest request, String text) throws InvalidMessage {
        if (hash.isPresent()) {
            seen.admit(hash.get().verify(Direction.REQUEST, request.requestUri(), text));
        }
    }

    private ConnectorReply reply(ConnectorRequest request, Announcement announcement) {
        String plain = codec.write(fitting.fitting(announcement));
        String text = encryption.map(each -> each.encrypt(plain)).orElse(plain);
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", MessageBody.CONTENT_TYPE);
        boolean gzip = MessageBody.acceptsGzip(request.header("Accept-Encoding"));
        if (gzip) {
            headers.put("Content-Encoding", "gzip");
        }
        admission.trust.ifPresent(trust -> {
            TrustHeaders signed = trust.key()
                    .sign(
                            Direction.REPLY,
                            request.requestUri(),
                            text,
                            time.wall().getAsLong());
            headers.put(TrustHeaders.HASH, signed.hash());
            headers.put(TrustHeaders.TRUST, signed.trust());
        });
        return new ConnectorReply(OK, headers, MessageBody.bytes(text, gzip));
    }

    /** Asks for the host name of a sender, unless too many others are being looked up. */
    private final class Lookup implements Supplier<Optional<String>> {
        private final ConnectorRequest request;
        private boolean refused;

        Lookup(ConnectorRequest request) {
            this.request = request;
        }

        @Override
        public Optional<String> get() {
            refused = !lookups.tryAcquire();
            if (refused) {
                return Optional.empty();
            }
            try {
                return Optional.ofNullable(request.remoteHost()).filter(name -> leadsTo.test(name, sender(request)));
            } finally {
                lookups.release();
            }
        }
    }

    /** A request is refused for a reason that is not in the message itself. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refused(int status, String reason) {
            super(reason);
            this.status = status;
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    /** Ends when a sender is slow, as one byte at a time would keep the connection open, and when bodies need too much memory. */
    private final class LimitedStream extends FilterInputStream {
        private final long end = now() + admission.bodyTimeout.toMillis();
        private final BodyBudget.Share share;

        LimitedStream(InputStream in, BodyBudget.Share share) {
            super(in);
            this.share = share;
        }

        @Override
        public int read() throws IOException {
            checkTime();
            return super.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            checkTime();
            int count = super.read(bytes, offset, length);
            if (count > 0 && !share.take(count)) {
                throw new Refused(UNAVAILABLE, "the requests that are being read need too much memory");
            }
            return count;
        }

        private void checkTime() throws Refused {
            if (now() >= end) {
                throw new Refused(TIMEOUT, "the body did not arrive in time");
            }
        }

        private long now() {
            return time.monotonic().getAsLong();
        }
    }
}
