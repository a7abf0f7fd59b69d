// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.trust.Envelope;
import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.SignedHash;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.wire.Excerpt;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.RequestPath;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.report.ConnectorReport;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies to the peers that connect to this instance. It believes nothing before the sender is verified, and reads nothing without
 * limits. A sender that must not connect learns nothing, not even that this endpoint exists.
 * The status of each reason is in {@link InvalidMessage.Reason}.
 *
 * <p>{@link #handle} is called by threads of a servlet container. It reads the body on that thread and never waits for the store.
 */
public final class ConnectorEndpoint {

    /** A name service may take seconds, and every stranger may make this instance ask one. */
    static final int MAX_LOOKUPS = 8;

    private static final int MAX_SENDER_CHARACTERS = 60;
    private static final int OK = 200;
    private static final int ERROR = 500;
    private static final long LINE_INTERVAL_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(ConnectorEndpoint.class);

    private final ConnectorSettings settings;
    private final AnnouncementRegistry registry;
    private final Refusals refusals;
    private final Function<InetAddress, String> hostNames;
    private final Envelope envelope;
    private final BodyReader bodies;
    private final Semaphore lookups = new Semaphore(MAX_LOOKUPS);
    private final LongSupplier clock;
    private final AtomicLong nextLine = new AtomicLong(Long.MIN_VALUE);

    /**
     * Makes an endpoint.
     *
     * @param limits what is read at most
     * @param hostNames returns the name of the host with an address, or the address if none leads back to it: its owner decides its name
     */
    public ConnectorEndpoint(
            ConnectorSettings settings,
            AnnouncementRegistry registry,
            Time time,
            WireLimits limits,
            Function<InetAddress, String> hostNames) {
        this.settings = settings;
        this.registry = registry;
        this.refusals = new Refusals(time);
        this.hostNames = hostNames;
        this.clock = time.monotonic();
        this.envelope = new Envelope(settings.trust(), limits, time.wall());
        this.bodies = new BodyReader(
                limits,
                settings.transfer().exchangeTimeout(),
                time.monotonic(),
                Runtime.getRuntime().maxMemory());
    }

    /** Returns the refusals that are remembered, the last one first. */
    public List<ConnectorReport.Refusal> refusals() {
        return refusals.shown();
    }

    /** Goes on remembering the messages of the endpoint before, with the same keys. */
    public void follow(ConnectorEndpoint before) {
        envelope.follow(before.envelope);
    }

    /** Replies to a request. It never throws: a container might send the failure to the peer, and log it for each request. */
    public ConnectorReply handle(ConnectorRequest request) {
        try {
            return switch (request.method()) {
                case "PUT" -> put(request);
                case "DELETE" -> delete(request);
                default -> {
                    admit(request);
                    throw new InvalidMessage(Reason.METHOD, "the method is neither PUT nor DELETE");
                }
            };
        } catch (InvalidMessage e) {
            return refuse(request, e.reason(), e.getMessage());
        } catch (IOException e) {
            LOG.debug("The body of a request could not be read", e);
            return refuse(request, Reason.MALFORMED, "the body could not be read to its end");
        } catch (RuntimeException | Error e) {
            long now = clock.getAsLong();
            if (nextLine.getAndUpdate(at -> now >= at ? now + LINE_INTERVAL_MILLIS : at) <= now) {
                LOG.error("The request of a peer failed; further failures are not logged for a minute", e);
            }
            return ConnectorReply.of(ERROR);
        }
    }

    private ConnectorReply refuse(ConnectorRequest request, Reason reason, String sentence) {
        refusals.add(sender(request), reason.status(), sentence);
        return ConnectorReply.of(reason.status());
    }

    /** Returns the address of the sender. A container behind a proxy may take it from a header, and may not know it. */
    private static String sender(ConnectorRequest request) {
        String address = request.remoteAddress();
        return address == null ? "unknown" : Excerpt.printable(address, MAX_SENDER_CHARACTERS);
    }

    private ConnectorReply put(ConnectorRequest request) throws IOException {
        String owner = RequestPath.senderId(request.pathInfo(), request.requestUri());
        Optional<SignedHash> hash = admit(request);
        return bodies.read(
                sender(request), request.contentLength(), request.body(), bytes -> put(request, owner, hash, bytes));
    }

    private ConnectorReply put(ConnectorRequest request, String owner, Optional<SignedHash> hash, byte[] bytes)
            throws IOException {
        String path = request.requestUri();
        Message ping = envelope.open(hash, Direction.REQUEST, path, bytes, request.headers());
        if (!ping.ownerId().equals(owner)) {
            throw new InvalidMessage(
                    Reason.MALFORMED, "the announcement is of " + ping.ownerId() + " and the path of " + owner);
        }
        Message reply = registry.receive(ping, sender(request), bytes.length);
        boolean gzip = MessageBody.acceptsGzip(request.headers().apply("Accept-Encoding"));
        Envelope.Sealed sealed = envelope.seal(reply, Direction.REPLY, path, gzip);
        registry.sent(owner, sealed.body().length);
        return new ConnectorReply(OK, sealed.headers(), sealed.body());
    }

    private ConnectorReply delete(ConnectorRequest request) throws IOException {
        String owner = RequestPath.senderId(request.pathInfo(), request.requestUri());
        Optional<SignedHash> hash = admit(request);
        Optional<String> nonce = request.headers().apply(TrustHeaders.NONCE);
        try {
            envelope.admit(hash, Direction.REQUEST, request.requestUri(), SharedKey.deletion(nonce));
        } catch (InvalidMessage e) {
            // Sling's clients send none, so all that they send while a key lives are equal.
            boolean ofSling = e.reason() == Reason.REPLAYED && nonce.isEmpty();
            if (!ofSling || !registry.isHeldFrom(owner, sender(request))) {
                throw e;
            }
        }
        registry.disconnect(owner, sender(request));
        return ConnectorReply.of(OK);
    }

    /** Checks the sender, before anything but the path of the request is read. */
    private Optional<SignedHash> admit(ConnectorRequest request) throws IOException {
        if (settings.trust().isPresent()) {
            return envelope.verify(request.headers());
        }
        String sender = sender(request);
        if (!settings.allowed().allows(sender, this::hostName)) {
            throw new InvalidMessage(Reason.FORBIDDEN, "the sender is not on the allow list");
        }
        return Optional.empty();
    }

    /** Asks for the host name of a sender, unless too many others are being looked up. */
    private String hostName(InetAddress address) throws InvalidMessage {
        if (!lookups.tryAcquire()) {
            throw new InvalidMessage(Reason.FORBIDDEN, "too many host names are being looked up already");
        }
        try {
            return hostNames.apply(address);
        } finally {
            lookups.release();
        }
    }
}
