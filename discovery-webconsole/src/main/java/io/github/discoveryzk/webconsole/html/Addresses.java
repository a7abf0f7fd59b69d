// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import io.github.discoveryzk.webconsole.content.Escape;
import io.github.discoveryzk.webconsole.section.AddedSections;
import java.util.regex.Pattern;

/** The addresses of the pages, below the console. */
public final class Addresses {
    /** The console's name of the plugin, which is the last part of its address. */
    public static final String LABEL = "topology";

    public static final String OVERVIEW = "/" + LABEL;

    /** The JSON document. */
    public static final String DOCUMENT = OVERVIEW + ".json";

    /** The metrics. */
    public static final String METRICS = OVERVIEW + ".metrics";

    /** The content of each page without the frame of the console, which takes the parameters of the page. */
    public static final String CONTENT = OVERVIEW + ".content";

    /** The folder of scripts and styles. */
    public static final String RESOURCES = OVERVIEW + "/res/";

    /** The query parameter for ids that cannot stand in a path. */
    public static final String INSTANCE = "instance";

    /** The query parameter that chooses a page. */
    public static final String SHOW = "show";

    /** The query parameter that names the result of an action. */
    public static final String RESULT = "result";

    public static final String HISTORY = OVERVIEW + "?" + SHOW + "=history";

    /** All views that the store keeps. */
    public static final String WHOLE_HISTORY = HISTORY + "&count=500";

    /** The connectors and other clusters. */
    public static final String CONNECTORS = OVERVIEW + "?" + SHOW + "=connectors";

    public static final String TREE = OVERVIEW + "?" + SHOW + "=tree";

    private static final Pattern PATH_SAFE = Pattern.compile("(?!res$)[A-Za-z0-9_-]{1,200}");

    private Addresses() {}

    /** Returns the address of an instance: with its id in the path if possible, in the query otherwise. */
    public static String instance(String id) {
        return PATH_SAFE.matcher(id).matches() ? OVERVIEW + "/" + id : instanceByQuery(id);
    }

    public static String instanceByQuery(String id) {
        return OVERVIEW + "?" + INSTANCE + "=" + Escape.url(id);
    }

    /** Returns the address of the views in which an instance joined, left or began to lead. */
    public static String history(String instanceId) {
        return HISTORY + "&" + INSTANCE + "=" + Escape.url(instanceId);
    }

    /** Returns the address of a section of another bundle, by its title. */
    public static String section(String title) {
        return OVERVIEW + "?" + SHOW + "=" + AddedSections.name(title);
    }

    /** Returns the address of consecutive views in the history, or of one. */
    public static String views(long first, long last) {
        return HISTORY + (first == last ? "&view=" + first : "&from=" + first + "&to=" + last);
    }

    /**
     * Returns the address of the page of another instance. An instance publishes the address of its HTTP service, not the
     * path of its console, which usually is the same on all instances.
     *
     * @param endpoint the address of the HTTP service of the other instance
     * @param console the path of the console on this instance
     */
    static String elsewhere(String endpoint, String console) {
        return endpoint.replaceFirst("(?s)(//[^/?#]+).*", "$1") + console + OVERVIEW;
    }
}
