// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.io.IOException;
import java.time.ZoneId;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Html;
import org.apache.sling.discovery.webconsole.markup.PageWriter;

/** Writes the pages that go into the frame of the web console. They are complete without the script. */
public final class HtmlRenderer {
    private final Addresses at;
    private final ZoneId zone;
    private final PageContext visit;

    /**
     * @param consoleRoot the path of the console, without a slash at the end
     * @param zone the time zone of the shown times
     */
    public HtmlRenderer(String consoleRoot, ZoneId zone) {
        this(consoleRoot, zone, PageContext.SPECTATOR);
    }

    /**
     * @param consoleRoot the path of the console, without a slash at the end
     * @param zone the time zone of the shown times
     * @param visit who asks
     */
    public HtmlRenderer(String consoleRoot, ZoneId zone, PageContext visit) {
        this.at = new Addresses(consoleRoot);
        this.zone = zone;
        this.visit = visit;
    }

    public void inactive(Appendable out) throws IOException {
        PageWriter sheet = new PageWriter(new Html(out), new Times(0, zone), at);
        PageFrame frame = new PageFrame(sheet, PageFrame.Kind.INACTIVE, visit.notice());
        frame.begin(0);
        new InactivePage(sheet).write();
        frame.end();
    }

    public void overview(TopologyReport report, Appendable out) throws IOException {
        framed(PageFrame.Kind.OVERVIEW, report, out, sheet -> new OverviewPage(sheet, visit).write(report));
    }

    /** Writes the page of an instance, or one that says that there is no such instance. */
    public void instance(TopologyReport report, String id, Appendable out) throws IOException {
        instance(report, id, "", out);
    }

    /**
     * Writes the page of an instance, or one that says that there is no such instance.
     *
     * @param search only properties with this in their name or value are shown
     */
    public void instance(TopologyReport report, String id, String search, Appendable out) throws IOException {
        framed(PageFrame.Kind.INSTANCE, report, out, sheet -> new InstancePage(sheet, visit).write(report, id, search));
    }

    public void history(TopologyReport report, HistoryFilter filter, Appendable out) throws IOException {
        framed(PageFrame.Kind.HISTORY, report, out, sheet -> new HistoryPage(sheet).write(report.history(), filter));
    }

    /** Writes the tree, or one node of it if a path is given. */
    public void tree(TopologyReport report, StoreTree tree, String path, Appendable out) throws IOException {
        framed(PageFrame.Kind.TREE, report, out, sheet -> {
            if (path.isEmpty()) {
                new TreePage(sheet).write(tree);
            } else {
                new TreePage(sheet).node(tree, path);
            }
        });
    }

    /** Writes why the tree cannot be shown. */
    public void noTree(TopologyReport report, String why, Appendable out) throws IOException {
        framed(PageFrame.Kind.TREE, report, out, sheet -> new TreePage(sheet).failed(why));
    }

    private void framed(PageFrame.Kind kind, TopologyReport report, Appendable out, Content content)
            throws IOException {
        PageWriter sheet = new PageWriter(new Html(out), new Times(report.generatedMillis(), zone), at);
        PageFrame frame = new PageFrame(sheet, kind, visit.notice());
        frame.begin(report.revision());
        content.write(sheet);
        frame.end();
    }

    private interface Content {
        void write(PageWriter sheet) throws IOException;
    }
}
