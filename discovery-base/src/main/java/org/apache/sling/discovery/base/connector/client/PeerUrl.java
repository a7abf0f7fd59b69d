// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.RequestPath;

/** The URL of a connector as configured. */
final class PeerUrl {
    private PeerUrl() {}

    /** Returns why a URL cannot be that of a connector, as a sentence without credentials; empty if it can. */
    static Optional<String> problem(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String problem = null;
        if (!scheme.equals("http") && !scheme.equals("https")) {
            problem = "it does not begin with http:// or https://";
        } else if (url.getHost() == null) {
            problem = "it has no host, or one that is not a host name or an address";
        } else if (url.getRawQuery() != null || url.getRawFragment() != null) {
            problem = "it has a query or a fragment";
        } else if (path.isEmpty() || path.endsWith("/")) {
            problem = "its path is empty or ends with a slash; the usual one is " + RequestPath.SERVLET + "/connector";
        } else if (path.contains("@")) {
            problem = "its path has an @; in user and password write %2F for a slash";
        }
        return Optional.ofNullable(problem)
                .map(text -> "The URL " + shown(url) + " cannot be that of a connector: " + text + ".");
    }

    /** Returns the URL without user and password, for logs and reports. A slash in a password may hide where it ends. */
    static String shown(URI url) {
        String text = url.toString();
        int end = text.lastIndexOf('@');
        if (end >= 0) {
            int scheme = text.indexOf("://");
            text = (scheme >= 0 && scheme < end ? text.substring(0, scheme + 3) : "") + text.substring(end + 1);
        }
        return text.split("[?#]", 2)[0];
    }

    /**
     * Returns the URL of requests, without credentials.
     *
     * @param url a URL without a problem
     */
    static URI ofRequests(URI url, String ownId) {
        return URI.create(RequestPath.extend(shown(url), ownId));
    }

    /** Returns the value of the header {@code Authorization} for user and password of the URL. */
    static Optional<String> authorization(URI url) {
        return Optional.ofNullable(url.getUserInfo())
                .map(user -> "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (user.contains(":") ? user : user + ":").getBytes(StandardCharsets.UTF_8)));
    }
}
