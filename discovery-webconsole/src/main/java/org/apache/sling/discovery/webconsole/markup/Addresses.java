// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.util.regex.Pattern;
import org.apache.sling.discovery.webconsole.format.Escape;

/**
 * The addresses of the pages.
 *
 * @param console the path of the console, without a slash at the end
 */
public record Addresses(String console) {
    /** The console's name of the plugin, which is the last part of its address. */
    public static final String LABEL = "topology";

    /** The address of the JSON document, below the console. */
    public static final String DOCUMENT = "/" + LABEL + ".json";

    /** The address of the content of a page without the frame of the console, below the console. */
    public static final String CONTENT = "/" + LABEL + ".content";

    /** The query parameter for ids that cannot stand in a path. */
    public static final String INSTANCE = "instance";

    /** The query parameter that chooses a page. */
    public static final String SHOW = "show";

    /** The query parameter that limits the number of views of the history. */
    public static final String COUNT = "count";

    /** The query parameter that names a view of the history. */
    public static final String VIEW = "view";

    /** The query parameter that names the result of an action. */
    public static final String RESULT = "result";

    private static final Pattern PATH_SAFE = Pattern.compile("(?!res$)[A-Za-z0-9_-]{1,200}");

    public String overview() {
        return console + "/" + LABEL;
    }

    /** Returns the address of the explanation, which is a part of the overview. */
    public String explanation() {
        return overview() + "#dz-explain";
    }

    /** Returns the address of the connectors and other clusters, which are a part of the overview. */
    public String connectors() {
        return overview() + "#dz-connectors";
    }

    /** Returns the address of an instance: with its id in the path if possible, in the query otherwise. */
    public String instance(String id) {
        return PATH_SAFE.matcher(id).matches() ? overview() + "/" + id : instanceByQuery(id);
    }

    public String instanceByQuery(String id) {
        return overview() + "?" + INSTANCE + "=" + Escape.url(id);
    }

    public String history() {
        return overview() + "?" + SHOW + "=history";
    }

    /** Returns the address of the views in which an instance joined, left or began to lead. */
    public String history(String instanceId) {
        return history() + "&" + INSTANCE + "=" + Escape.url(instanceId);
    }

    /** Returns the address of all views that the store keeps. */
    public String wholeHistory() {
        return history() + "&" + COUNT + "=500";
    }

    /** Returns the address of one view in the history. */
    public String view(long number) {
        return history() + "&" + VIEW + "=" + number;
    }

    public String tree() {
        return overview() + "?" + SHOW + "=tree";
    }

    /** Returns the address of the content of each page, which takes the parameters of the page. */
    public String content() {
        return console + CONTENT;
    }

    public String resource(String name) {
        return overview() + "/res/" + name;
    }
}
