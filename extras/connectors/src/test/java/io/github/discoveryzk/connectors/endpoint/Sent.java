// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.WireLimits;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A request for tests: what a servlet container would pass on. */
public final class Sent {
    public final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    public String method = "PUT";
    public String context = "/libs/sling/topology";
    public String pathInfo;
    public String address = "127.0.0.1";
    public InputStream body;
    public long length = -1;
    public boolean read;

    public static Sent put(String sender, byte[] body) {
        Sent sent = new Sent();
        sent.pathInfo = "/connector." + sender + ".json";
        sent.body = new ByteArrayInputStream(body);
        return sent;
    }

    public static Sent put(String sender, String body) {
        return put(sender, body.getBytes(StandardCharsets.UTF_8));
    }

    public static Sent put(Message message) {
        return put(message.ownerId(), new AnnouncementCodec(WireLimits.DEFAULT).write(message));
    }

    public static Sent delete(String sender) {
        Sent sent = put(sender, "");
        sent.method = "DELETE";
        return sent;
    }

    public Sent with(String header, String value) {
        headers.put(header, value);
        return this;
    }

    /** Signs a text, which should be that of the body. */
    public Sent signed(SharedKey key, String text, long now) {
        TrustHeaders signed = key.sign(Direction.REQUEST, requestUri(), text, now);
        return with(TrustHeaders.HASH, signed.hash()).with(TrustHeaders.TRUST, signed.trust());
    }

    public Sent from(String remoteAddress) {
        address = remoteAddress;
        return this;
    }

    public String requestUri() {
        return context + pathInfo;
    }

    public ConnectorRequest request() {
        return new ConnectorRequest(
                method,
                requestUri(),
                pathInfo,
                name -> Optional.ofNullable(headers.get(name)),
                length,
                () -> {
                    read = true;
                    return body;
                },
                address);
    }
}
