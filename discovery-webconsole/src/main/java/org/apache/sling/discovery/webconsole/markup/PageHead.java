// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Completes the head of a page, which the console writes: phones lay the page out in their own width, and the title
 * names the state and the instance.
 */
public final class PageHead {
    private static final String VIEWPORT = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>";
    private static final Pattern ROOT = Pattern.compile("<div id=\"discovery-topology\"[^>]*? data-title=\"([^\"]*)\"");
    private static final Pattern HEAD = Pattern.compile("<head(?:\\s[^>]*)?>", Pattern.CASE_INSENSITIVE);
    private static final Pattern TITLE =
            Pattern.compile("<title>.*?</title>", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private PageHead() {}

    /** Returns a page with its head completed; a page that is not one of the topology is returned as it is. */
    public static String complete(String page) {
        Matcher root = ROOT.matcher(page);
        if (!root.find()) {
            return page;
        }
        // The title is escaped as the value of an attribute is, and so it can stand in an element too.
        String title = "<title>" + root.group(1) + "</title>";
        String header = page.substring(0, root.start());
        String titled = TITLE.matcher(header).replaceFirst(Matcher.quoteReplacement(title));
        String whole = titled.contains("name=\"viewport\"")
                ? titled
                : HEAD.matcher(titled).replaceFirst("$0" + VIEWPORT);
        return whole + page.substring(root.start());
    }
}
