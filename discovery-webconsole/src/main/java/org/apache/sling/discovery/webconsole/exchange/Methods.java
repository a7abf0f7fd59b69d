// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.IOException;
import java.util.List;

/** The methods of a request. */
public final class Methods {

    private Methods() {}

    /**
     * Returns whether the caller has to answer the request, because its method is one of these. Otherwise the request has
     * been answered.
     */
    public static boolean accept(Request request, Response response, String... methods) throws IOException {
        if (List.of(methods).contains(request.method())) {
            return true;
        }
        response.setHeader("Allow", String.join(", ", methods) + ", OPTIONS");
        if (request.method().equals("OPTIONS")) {
            response.setStatus(204);
        } else {
            response.sendError(405);
        }
        return false;
    }
}
