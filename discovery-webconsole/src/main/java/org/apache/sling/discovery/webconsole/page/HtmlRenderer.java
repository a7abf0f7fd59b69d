// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.Look;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.page.PageFrame.Kind;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * Renders the pages that go into the frame of the web console. They are complete without the script.
 *
 * @param addresses the addresses of the pages
 * @param zone the time zone of the shown times
 * @param context what the pages depend on beside the report
 * @param framed false for the root element only, for pages that are open already
 */
public record HtmlRenderer(Addresses addresses, ZoneId zone, PageContext context, boolean framed) {

    /** Renders the page of an instance whose discovery service is not active. */
    public String inactive() {
        PageWriter page = new PageWriter(new Html(), new Times(0, zone), addresses, InstanceNames.NONE);
        return render(page, Kind.INACTIVE, Look.INACTIVE.word().toUpperCase(Locale.ROOT), ErrorPages::inactive);
    }

    public String overview(TopologyReport report) {
        return render(Kind.OVERVIEW, report, page -> new OverviewPage(page, context, report).write());
    }

    /** Renders why a request is not answered. */
    public String invalid(TopologyReport report, InvalidParameter problem) {
        return render(Kind.INVALID, report, page -> ErrorPages.invalid(page, problem));
    }

    /** Renders the page of an instance, or a page that names the unknown id. */
    public String instance(TopologyReport report, String id) {
        return render(Kind.INSTANCE, report, page -> new InstancePage(page, context, report).write(id));
    }

    /** Renders the history of the cluster, or one view of it. */
    public String history(TopologyReport report, HistoryFilter filter) {
        return render(Kind.HISTORY, report, page -> {
            HistoryPage history = new HistoryPage(page, report.history());
            filter.view().ifPresentOrElse(history::writeView, () -> history.write(filter));
        });
    }

    /** Renders the nodes of the store. */
    public String tree(TopologyReport report, StoreTree tree) {
        return render(Kind.TREE, report, page -> new TreePage(page).write(tree));
    }

    /** Renders why the nodes of the store cannot be shown. */
    public String noTree(TopologyReport report, String reason) {
        return render(Kind.TREE, report, page -> new TreePage(page).writeFailure(reason));
    }

    private String render(Kind kind, TopologyReport report, Consumer<PageWriter> content) {
        PageWriter page =
                new PageWriter(new Html(), new Times(report.generatedMillis(), zone), addresses, report.names());
        String title = Look.of(report.state()).word().toUpperCase(Locale.ROOT) + " · "
                + InstanceNames.shortId(page.nameOrShortId(report.localInstanceId()));
        return render(page, kind, title, content);
    }

    private String render(PageWriter page, Kind kind, String title, Consumer<PageWriter> content) {
        PageFrame frame = new PageFrame(page, kind, context);
        if (framed) {
            frame.write(title, () -> content.accept(page));
        } else {
            frame.writeRoot(title, () -> content.accept(page));
        }
        return page.html().toString();
    }
}
