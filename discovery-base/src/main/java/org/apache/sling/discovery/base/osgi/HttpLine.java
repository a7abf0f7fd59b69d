// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.Collection;
import java.util.function.Predicate;

/** The ways in which a servlet container takes a servlet, the preferred one first. */
enum HttpLine {
    JAKARTA_WHITEBOARD(
            "org.osgi.service.servlet.runtime.HttpServiceRuntime",
            "jakarta.servlet.http.HttpServlet",
            "org.osgi.service.servlet.context.ServletContextHelper"),
    JAVAX_WHITEBOARD(
            "org.osgi.service.http.runtime.HttpServiceRuntime",
            "javax.servlet.http.HttpServlet",
            "org.osgi.service.http.context.ServletContextHelper"),
    HTTP_SERVICE(
            "org.osgi.service.http.HttpService", "javax.servlet.http.HttpServlet", "org.osgi.service.http.HttpService"),
    /** No servlet container is active, or this bundle can load the servlets of none. */
    NONE("", "", "");

    private final String service;
    private final String servlet;
    private final String registration;

    HttpLine(String service, String servlet, String registration) {
        this.service = service;
        this.servlet = servlet;
        this.registration = registration;
    }

    /** Returns the name of the service that shows that such a container is active. */
    String service() {
        return service;
    }

    /**
     * Returns the line of the one endpoint. A container may have several.
     *
     * @param services the services that exist
     * @param canLoad whether this bundle can load a class of a name
     */
    static HttpLine choose(Collection<String> services, Predicate<String> canLoad) {
        for (HttpLine each : values()) {
            if (each != NONE
                    && services.contains(each.service)
                    && canLoad.test(each.servlet)
                    && canLoad.test(each.registration)) {
                return each;
            }
        }
        return NONE;
    }
}
