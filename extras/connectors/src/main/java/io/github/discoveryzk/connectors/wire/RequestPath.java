// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.model.ForeignText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The path of a request of a connector: {@code /connector.<instance id>.json} below the path of the servlet. */
public final class RequestPath {
    /** Below this path the servlet is found. */
    public static final String SERVLET = "/libs/sling/topology";

    private static final Pattern PATH_INFO = Pattern.compile("/[A-Za-z0-9_-]{1,100}\\.([A-Za-z0-9_-]{1,200})\\.json");

    private RequestPath() {}

    /**
     * Returns the id of the instance that sends a request, as the path says. The path must be the same before and after decoding and
     * resolving: an escape, a path parameter, an empty part and a part of dots are no part of it.
     *
     * @param pathInfo the decoded part of the path after that of the servlet; null if there is none
     * @param requestUri the path as it was sent, without query
     * @throws InvalidMessage when it is not that of a connector
     */
    public static String senderId(String pathInfo, String requestUri) throws InvalidMessage {
        Matcher parts = PATH_INFO.matcher(pathInfo == null ? "" : pathInfo);
        if (!parts.matches() || !isPlain(requestUri) || !requestUri.endsWith(pathInfo)) {
            throw new InvalidMessage(
                    Reason.PATH,
                    "the path " + Excerpt.quoted(requestUri) + " is not that of a connector: /connector.<id>.json");
        }
        return parts.group(1);
    }

    private static boolean isPlain(String requestUri) {
        return requestUri.startsWith("/")
                && requestUri.chars().allMatch(c -> c > ' ' && c <= '~' && "%;\\?#".indexOf(c) < 0)
                && Stream.of(requestUri.substring(1).split("/", -1))
                        .allMatch(part -> part.chars().anyMatch(c -> c != '.'));
    }

    /** Says whether an instance with that id can send requests: an id with a dot does not fit into a path. */
    public static boolean isUsable(String instanceId) {
        return ForeignText.isId(instanceId) && instanceId.indexOf('.') < 0;
    }
}
