// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.RequestPath;

/** The URL of a connector as configured. */
final class PeerUrl {
    private PeerUrl() {}

    /** Returns the URL without user and password, for logs and reports. A slash in a password may hide where it ends. */
    static String shown(URI url) {
        return url.toString().replaceFirst("//.*@", "//");
    }

    /** Returns the URL of requests, without credentials. */
    static URI ofRequests(URI url, String ownId) {
        return URI.create(RequestPath.extend(shown(url), ownId));
    }

    /** Returns the value of the header {@code Authorization} for user and password of the URL. */
    static Optional<String> authorization(URI url) {
        return Optional.ofNullable(url.getUserInfo())
                .map(user -> user.contains(":") ? user : user + ":")
                .map(user -> "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }
}
