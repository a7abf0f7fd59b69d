// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.util.Collection;
import java.util.function.Predicate;

/** The line of the servlet API on which a web console is built. */
enum ServletLine {
    JAKARTA("jakarta.servlet"),
    JAVAX("javax.servlet"),
    /** No console is active, or this bundle can load the servlets of none. */
    NONE("");

    private final String packageName;

    ServletLine(String packageName) {
        this.packageName = packageName;
    }

    /**
     * Returns the line of the one page. A console may know the servlets of both lines; only those that it cannot do without
     * decide.
     *
     * @param required the packages that the active consoles cannot do without
     * @param canLoad whether this bundle can load a class of a name
     */
    static ServletLine choose(Collection<String> required, Predicate<String> canLoad) {
        for (ServletLine each : new ServletLine[] {JAKARTA, JAVAX}) {
            if (required.contains(each.packageName) && canLoad.test(each.packageName + ".http.HttpServlet")) {
                return each;
            }
        }
        return NONE;
    }
}
