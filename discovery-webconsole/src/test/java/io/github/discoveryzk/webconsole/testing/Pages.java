// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.html.HistoryPage;
import io.github.discoveryzk.webconsole.html.InstancePage;
import io.github.discoveryzk.webconsole.html.OverviewPage;
import io.github.discoveryzk.webconsole.html.Page;
import io.github.discoveryzk.webconsole.html.TreePage;
import io.github.discoveryzk.webconsole.query.HistoryFilter;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.section.RestartPlan;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.w3c.dom.Document;

/** The pages of reports, in a console at {@code /system/console}. */
public final class Pages {
    private Pages() {}

    /** Returns the source of a page for a user who may not act. */
    public static String source(Page page) {
        return page.render(new Page.Context(
                "/system/console", ZoneOffset.UTC, List.of("Shared data"), Optional.empty(), Optional.empty()));
    }

    /** Returns a page for a user who may act, after an action. */
    public static Document asOperator(Page page) throws Exception {
        return Markup.parse(page.render(new Page.Context(
                "/system/console", ZoneOffset.UTC, List.of(), Optional.of("a-token"), Optional.of("What was done."))));
    }

    public static Document overview(TopologyReport report) throws Exception {
        return Markup.parse(source(overviewPage(report)));
    }

    /** Returns the first screen of a container that may be stopped. */
    public static Page overviewPage(TopologyReport report) {
        return OverviewPage.of(
                report, new RestartPlan(Startup.OVER, List.of(), List.of()), AddedSections.of(List.of()));
    }

    public static Document connectors(TopologyReport report) throws Exception {
        return Markup.parse(source(OverviewPage.connectors(report)));
    }

    /** Returns the page of the instance that answers. */
    public static Document local(TopologyReport report) throws Exception {
        return instance(report, report.localInstanceId());
    }

    public static Document instance(TopologyReport report, String id) throws Exception {
        return Markup.parse(source(InstancePage.of(report, id)));
    }

    public static Document tree(StoreTree tree) throws Exception {
        return Markup.parse(source(TreePage.of(Reports.settled(1), tree)));
    }

    /** Returns the page of the history with the parameters of its address. */
    public static Document history(TopologyReport report, Map<String, String> parameters) throws Exception {
        return Markup.parse(rawHistory(report, parameters));
    }

    public static String rawHistory(TopologyReport report, Map<String, String> parameters) {
        return source(HistoryPage.of(report, HistoryFilter.of(parameters)));
    }
}
