// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.sling.discovery.base.connector.trust.Direction;
import org.apache.sling.discovery.base.connector.trust.SharedKey;
import org.apache.sling.discovery.base.connector.trust.TrustHeaders;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.Message;
import org.apache.sling.discovery.base.connector.wire.WireLimits;

/** A request for tests: what a servlet container would pass on. */
public final class Sent implements ConnectorRequest {
    public final Map<String, String> headers = new TreeMap<>();
    public String method = "PUT";
    public String context = "/libs/sling/topology";
    public String pathInfo;
    public String address = "127.0.0.1";
    public String host = "127.0.0.1";
    public InputStream body = InputStream.nullInputStream();
    public long length = -1;
    public boolean read;
    public boolean lookedUp;

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
        headers.put(header.toLowerCase(Locale.ROOT), value);
        return this;
    }

    /** Signs a text, which should be that of the body. */
    public Sent signed(SharedKey key, String text, long now) {
        TrustHeaders signed = key.sign(Direction.REQUEST, requestUri(), text, now);
        return with(TrustHeaders.HASH, signed.hash()).with(TrustHeaders.TRUST, signed.trust());
    }

    public Sent from(String remoteAddress, String remoteHost) {
        address = remoteAddress;
        host = remoteHost;
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String requestUri() {
        return context + pathInfo;
    }

    @Override
    public String pathInfo() {
        return pathInfo;
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    @Override
    public long contentLength() {
        return length;
    }

    @Override
    public InputStream body() {
        read = true;
        return body;
    }

    @Override
    public String remoteAddress() {
        return address;
    }

    @Override
    public String remoteHost() {
        lookedUp = true;
        return host;
    }
}
