// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.content.Line.line;
import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.View;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import io.github.discoveryzk.webconsole.content.Times;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A page that goes into the frame of the web console. It is complete without the script.
 *
 * @param subject which page it is
 * @param address the address of its tab
 * @param status the HTTP status
 * @param report the report that it shows; empty when the discovery service is not active
 * @param parts what stands between navigation and footer
 */
public record Page(Subject subject, String address, int status, Optional<TopologyReport> report, List<Part> parts) {

    Page(Subject subject, String address, TopologyReport report, List<Part> parts) {
        this(subject, address, 200, Optional.of(report), parts);
    }

    Page with(int other) {
        return new Page(subject, address, other, report, parts);
    }

    /** The pages. */
    enum Subject {
        OVERVIEW,
        INSTANCE,
        HISTORY,
        SECTION,
        TREE,
        INACTIVE;

        /** Returns whether the script refreshes it. A refresh of the tree would read the store. */
        boolean isLive() {
            return this != TREE;
        }
    }

    /**
     * What a page depends on beside its content.
     *
     * @param console the path of the console, without a slash at the end
     * @param zone the time zone of the shown times
     * @param sections the titles of the sections of other bundles
     * @param token the CSRF token of the user; empty when no action is possible
     * @param message the result of the last action; empty when there is none
     */
    public record Context(
            String console, ZoneId zone, List<String> sections, Optional<String> token, Optional<String> message) {}

    /** Returns the page with its script. */
    public String render(Context context) {
        PageWriter page = writer(context);
        page.html().element("div", attr("class", "dz"), () -> {
            root(page, context);
            String address = context.console() + Addresses.RESOURCES + "topology.js";
            page.html().element("script", attr("src", address).and("defer", ""), "");
        });
        return page.html().toString();
    }

    /** Returns the root element only, which is all that changes while a page is open. */
    public String renderContent(Context context) {
        PageWriter page = writer(context);
        root(page, context);
        return page.html().toString();
    }

    private PageWriter writer(Context context) {
        long now = report.map(TopologyReport::generatedMillis).orElse(0L);
        InstanceNames names = report.map(TopologyReport::names).orElse(InstanceNames.NONE);
        return new PageWriter(new Html(), new Times(now, context.zone()), context.console(), names, context.token());
    }

    private void root(PageWriter page, Context context) {
        Attributes root = attr("id", "discovery-topology")
                .and("data-title", title(page) + " – Topology")
                .and("data-page", subject.name().toLowerCase(Locale.ROOT))
                .and("data-now", page.times().nowMillis())
                .and(
                        "data-view",
                        report.flatMap(TopologyReport::view).map(View::number).orElse(0L))
                .and("data-live", String.valueOf(subject.isLive()))
                .and("data-content", context.console() + Addresses.CONTENT);
        page.html().element("div", root, () -> {
            navigation(page, context.sections());
            context.message().ifPresent(message -> message(page, message));
            page.parts(parts);
            footer(page);
        });
    }

    /** Returns what the tab of the browser shows before the title of the console. */
    private String title(PageWriter page) {
        Look look = report.map(each -> Look.of(each.state())).orElse(Look.INACTIVE);
        return look.word().toUpperCase(Locale.ROOT)
                + report.map(each -> " · " + InstanceNames.shortId(page.nameOrShortId(each.localInstanceId())))
                        .orElse("");
    }

    private void navigation(PageWriter page, List<String> sections) {
        page.html().element("nav", attr("id", "dz-nav").and("aria-label", "Topology"), () -> {
            entry(page, "Topology", Addresses.OVERVIEW);
            report.ifPresent(each -> entry(page, "This instance", Addresses.instance(each.localInstanceId())));
            entry(page, "History", Addresses.HISTORY);
            sections.forEach(each -> entry(page, each, Addresses.section(each)));
            entry(page, "Connectors", Addresses.CONNECTORS);
            entry(page, "Store", Addresses.TREE);
            page.html().element("span", attr("id", "dz-live"), "");
        });
    }

    private void entry(PageWriter page, String text, String tab) {
        Attributes link = attr("href", page.console() + tab);
        page.html().element("a", tab.equals(address) ? link.and("aria-current", "page") : link, text);
    }

    private static void message(PageWriter page, String message) {
        Attributes notice = attr("id", "dz-notice").and("class", "dz-notice").and("role", "status");
        page.html().element("p", notice, () -> page.html().foreign(message));
    }

    private static void footer(PageWriter page) {
        Times times = page.times();
        if (times.nowMillis() > 0) {
            Line asOf = line().text("As of ")
                    .time(times.nowMillis(), TimeForm.MOMENT)
                    .text(". All times are in the time zone ")
                    .styled(Style.ZONE, times.zone() + " of the server")
                    .text(".");
            page.parts(List.of(new Section.Paragraph(Style.FOOTER, asOf)));
        }
    }
}
