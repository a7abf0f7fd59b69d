// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A request that the console has authenticated. */
public interface Request {

    /** Returns the method, in the case in which the client sent it. */
    String method();

    /** Returns the decoded path below the console; empty if there is none. */
    String path();

    /** Returns the first value of a parameter of the query or of the form, or null. */
    String parameter(String name);

    /** Returns the first value of each parameter. */
    Map<String, String> parameters();

    /** Returns the value of a header, or null. */
    String header(String name);

    /** Returns the name of the user; empty if the console does not know it. */
    String user();

    /**
     * Returns whether the caller has to answer this request, because its method is one of these. Otherwise the request has been
     * answered.
     */
    default boolean accept(Response response, String... methods) throws IOException {
        if (List.of(methods).contains(method())) {
            return true;
        }
        response.setHeader("Allow", String.join(", ", methods) + ", OPTIONS");
        if (method().equals("OPTIONS")) {
            response.setStatus(204);
        } else {
            response.sendError(405);
        }
        return false;
    }

    /** Returns the path of the console as the browser has to request it, without a slash at the end. */
    String consoleRoot();
}
