// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.time.ZoneId;
import java.util.Locale;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/** Writes the pages that go into the frame of the web console. They are complete without the script. */
public final class HtmlRenderer {
    private final Addresses addresses;
    private final ZoneId zone;
    private final PageContext context;
    private final boolean framed;

    /**
     * Makes a renderer of pages that offer no action.
     *
     * @param consoleRoot the path of the console, without a slash at the end
     * @param zone the time zone of the shown times
     */
    public HtmlRenderer(String consoleRoot, ZoneId zone) {
        this(consoleRoot, zone, PageContext.READ_ONLY);
    }

    /**
     * @param consoleRoot the path of the console, without a slash at the end
     * @param zone the time zone of the shown times
     * @param context what the pages depend on beside the report
     */
    public HtmlRenderer(String consoleRoot, ZoneId zone, PageContext context) {
        this(new Addresses(consoleRoot), zone, context, true);
    }

    private HtmlRenderer(Addresses addresses, ZoneId zone, PageContext context, boolean framed) {
        this.addresses = addresses;
        this.zone = zone;
        this.context = context;
        this.framed = framed;
    }

    /** Returns a renderer of the root element only, for pages that are open already. */
    public HtmlRenderer withoutFrame() {
        return new HtmlRenderer(addresses, zone, context, false);
    }

    /** Writes the page of an instance whose discovery service is not active. */
    public void inactive(Appendable out) throws IOException {
        PageWriter page = new PageWriter(new Html(out), new Times(0, zone), addresses, InstanceNames.NONE);
        String title = StateDisplay.INACTIVE.word().toUpperCase(Locale.ROOT);
        write(page, PageFrame.Kind.INACTIVE, title, () -> new InactivePage(page).write());
    }

    /** Writes the overview. */
    public void overview(TopologyReport report, Appendable out) throws IOException {
        write(PageFrame.Kind.OVERVIEW, report, out, page -> new OverviewPage(page, context).write(report));
    }

    /** Writes why a request is not answered. */
    public void invalid(TopologyReport report, InvalidParameter problem, Appendable out) throws IOException {
        write(PageFrame.Kind.INVALID, report, out, page -> new InvalidPage(page).write(problem));
    }

    /** Writes the page of an instance, or a page that names the unknown id. */
    public void instance(TopologyReport report, String id, Appendable out) throws IOException {
        write(PageFrame.Kind.INSTANCE, report, out, page -> new InstancePage(page, context, report).write(id));
    }

    /** Writes the history of the cluster. */
    public void history(TopologyReport report, HistoryFilter filter, Appendable out) throws IOException {
        write(PageFrame.Kind.HISTORY, report, out, page -> new HistoryPage(page).write(report, filter));
    }

    /** Writes the nodes of the store, or the node of a path if the path is not empty. */
    public void tree(TopologyReport report, StoreTree tree, String path, Appendable out) throws IOException {
        write(PageFrame.Kind.TREE, report, out, page -> {
            if (path.isEmpty()) {
                new TreePage(page).write(tree);
            } else {
                new TreePage(page).writeNode(tree, path);
            }
        });
    }

    /** Writes why the nodes of the store cannot be shown. */
    public void noTree(TopologyReport report, String reason, Appendable out) throws IOException {
        write(PageFrame.Kind.TREE, report, out, page -> new TreePage(page).writeFailure(reason));
    }

    private void write(PageFrame.Kind kind, TopologyReport report, Appendable out, Page content) throws IOException {
        InstanceNames names = report.names();
        PageWriter page = new PageWriter(new Html(out), new Times(report.generatedMillis(), zone), addresses, names);
        String title = StateDisplay.of(report.state()).word().toUpperCase(Locale.ROOT) + " · "
                + InstanceNames.shortId(page.nameOrId(report.localInstanceId()));
        write(page, kind, title, () -> content.write(page));
    }

    private void write(PageWriter page, PageFrame.Kind kind, String title, Html.Content content) throws IOException {
        PageFrame frame = new PageFrame(page, kind, context);
        if (framed) {
            frame.write(title, content);
        } else {
            frame.writeRoot(title, content);
        }
    }

    private interface Page {
        void write(PageWriter page) throws IOException;
    }
}
