// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.page.HistoryFilter;
import org.apache.sling.discovery.webconsole.page.HtmlRenderer;
import org.apache.sling.discovery.webconsole.page.PageContext;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;
import org.w3c.dom.Document;

/** The pages of reports, in a console at {@code /system/console}. */
public final class Pages {
    /** The context of a user who may act, after an action. */
    public static final PageContext OPERATOR = new PageContext(Optional.of("a-token"), Optional.of("What was done."));

    /** Renders pages for a user who may not act. */
    public static final HtmlRenderer RENDERER = renderer(new PageContext(Optional.empty(), Optional.empty()));

    private Pages() {}

    public static HtmlRenderer renderer(PageContext context) {
        return new HtmlRenderer(new Addresses("/system/console"), ZoneOffset.UTC, context, true);
    }

    public static Document overview(TopologyReport report) throws Exception {
        return Markup.parse(RENDERER.overview(report));
    }

    public static Document instance(TopologyReport report, String id) throws Exception {
        return Markup.parse(RENDERER.instance(report, id));
    }

    public static Document tree(StoreTree tree) throws Exception {
        return Markup.parse(RENDERER.tree(Reports.settled(1), tree));
    }

    /** Returns the page of the history with the parameters of its address. */
    public static Document history(TopologyReport report, Map<String, String> parameters) throws Exception {
        return Markup.parse(rawHistory(report, parameters));
    }

    public static String rawHistory(TopologyReport report, Map<String, String> parameters) throws InvalidParameter {
        return RENDERER.history(report, HistoryFilter.of(parameters::get));
    }
}
