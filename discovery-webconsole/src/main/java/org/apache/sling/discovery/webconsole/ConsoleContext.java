// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

/** The servlet context of the console, in which the console authenticates each request. */
final class ConsoleContext {
    /** The component property that places a servlet or filter in this context. */
    static final String SELECT =
            "osgi.http.whiteboard.context.select=(osgi.http.whiteboard.context.name=org.apache.felix.webconsole)";

    private ConsoleContext() {}
}
