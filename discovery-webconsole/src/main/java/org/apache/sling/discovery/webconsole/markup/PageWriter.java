// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.io.IOException;
import java.util.List;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport.Countdown;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.InstanceDisplay;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.markup.Html.Content;

/**
 * Writes the parts that all pages consist of. Each method writes the part that it is named after.
 *
 * @param html the page
 * @param times the moment and time zone of the shown times
 * @param addresses the addresses of the pages
 * @param names the names of the instances
 */
public record PageWriter(Html html, Times times, Addresses addresses, InstanceNames names) {
    /** The length to which names are shortened where many of them stand together. */
    private static final int NAME_LENGTH = 40;

    private static final int SHORT_ID_LENGTH = 18;
    private static final int REASON_LENGTH = 400;
    private static final int TITLE_LENGTH = 300;

    private static final String SHEETS = "M5 0h9v11h-2v-9h-7z M2 4h8v12h-8z M3.6 5.6v8.8h4.8v-8.8z";
    private static final String CROWN = "M1 11.5h14l1-8.5l-4.2 2.8l-3.8-5.8l-3.8 5.8l-4.2-2.8z";

    /** A section with a heading. */
    public void section(String id, String title, Content content) throws IOException {
        section(id, () -> html.element("h2", attr("id", id + "-title"), title).line(), content);
    }

    /** A section with a heading that tells the number of its entries. */
    public void section(String id, String title, int count, Content content) throws IOException {
        section(id, () -> countedHeading("h2", attr("id", id + "-title"), title, count), content);
    }

    private void section(String id, Content heading, Content content) throws IOException {
        html.element("section", attr("id", id).and("aria-labelledby", id + "-title"), () -> {
                    heading.write();
                    content.write();
                })
                .line();
    }

    /** A heading within a section, with a number of entries. */
    public void subheading(String title, int count) throws IOException {
        countedHeading("h3", Attributes.NONE, title, count);
    }

    private void countedHeading(String element, Attributes attributes, String title, int count) throws IOException {
        html.element(element, attributes, () -> {
                    html.text(title).text(" ");
                    html.element("span", attr("class", "dz-count"), String.valueOf(count));
                })
                .line();
    }

    /**
     * A table.
     *
     * @param styleClass a class of its own, or the empty text
     * @param rows writes the rows
     */
    public void table(String styleClass, List<String> headings, Content rows) throws IOException {
        table(
                styleClass,
                () -> {
                    for (String heading : headings) {
                        html.element("th", attr("scope", "col"), heading);
                    }
                },
                rows);
    }

    /**
     * A table.
     *
     * @param styleClass a class of its own, or the empty text
     * @param headings writes the cells of the first row
     * @param rows writes the other rows
     */
    public void table(String styleClass, Content headings, Content rows) throws IOException {
        html.element("table", attr("class", ("dz-table " + styleClass).strip()), () -> {
                    html.element("thead", () -> html.element("tr", headings));
                    html.element("tbody", () -> {
                        html.line();
                        rows.write();
                    });
                })
                .line();
    }

    /** A cell that names its column, for narrow screens. */
    public void cell(String label, Content content) throws IOException {
        html.element("td", attr("data-label", label), content);
    }

    public void cell(String label, String value) throws IOException {
        cell(label, () -> html.foreign(value));
    }

    public void wideCell(String label, Content content) throws IOException {
        html.element("td", attr("data-label", label).and("class", "dz-wide"), content);
    }

    public void wideCell(String label, String value) throws IOException {
        wideCell(label, () -> html.foreign(value));
    }

    public void numberCell(String label, String value) throws IOException {
        html.element("td", attr("data-label", label).and("class", "dz-number"), value);
    }

    public void hostCell(String host, long pid) throws IOException {
        cell("Host, process", () -> {
            html.foreign(host).text(" ");
            html.element("span", attr("class", "dz-soft"), "pid " + Phrases.pid(pid));
        });
    }

    public void timeCell(String label, long millis) throws IOException {
        cell(label, () -> time(millis));
    }

    /** A list of facts. */
    public void facts(Content facts) throws IOException {
        html.element("dl", attr("class", "dz-facts"), facts).line();
    }

    public void fact(String name, Content content) throws IOException {
        html.element("dt", name).element("dd", content);
    }

    public void fact(String name, String value) throws IOException {
        fact(name, () -> html.foreign(value));
    }

    public void timeFact(String name, long millis) throws IOException {
        fact(name, () -> time(millis));
    }

    /** A time and how long ago it was, which the script keeps up to date. */
    public void time(long millis) throws IOException {
        moment(millis);
        ago(millis);
    }

    /** A time with milliseconds, and how long ago it was. */
    public void exactTime(long millis) throws IOException {
        if (millis <= 0) {
            html.text("unknown");
        } else {
            Attributes time = attr("datetime", times.iso(millis)).and("data-exact", "");
            html.element("time", time, times.exact(millis));
            ago(millis);
        }
    }

    /** A time, which the script shows in the time zone of the browser. */
    public void moment(long millis) throws IOException {
        if (millis <= 0) {
            html.text("unknown");
        } else {
            html.element("time", attr("datetime", times.iso(millis)), times.absolute(millis));
        }
    }

    private void ago(long millis) throws IOException {
        if (millis > 0) {
            html.text(" ");
            html.element("span", attr("class", "dz-ago").and("data-ago", millis), "(" + times.relative(millis) + ")");
        }
    }

    /** How long a state has lasted, which the script counts up. */
    public void elapsed(long sinceMillis) throws IOException {
        html.element("span", attr("class", "dz-tick").and("data-since", sinceMillis), times.since(sinceMillis));
    }

    /** What will happen and when, which the script counts down. */
    public void countdown(Countdown countdown) throws IOException {
        Attributes attributes = attr("class", "dz-countdown")
                .and("data-at", countdown.atMillis())
                .and("data-what", countdown.what())
                .and("aria-live", "off");
        html.element("bdi", attributes, countdown.words(times.nowMillis()));
    }

    /** A sentence that stands in place of content. */
    public void note(String text) throws IOException {
        html.element("p", attr("class", "dz-nothing"), text).line();
    }

    /** A link to the page of an instance: its name with its short id beside it, or its id when it has no name. */
    public void instanceLink(String id) throws IOException {
        html.element("a", attr("href", addresses.instance(id)), () -> name(nameOrId(id)));
        if (!nameOrId(id).equals(id)) {
            html.text(" ");
            shortId(id);
        }
    }

    /** A link to the page of an instance that is short enough for a table of hundreds of rows. */
    public void shortInstanceLink(String id) throws IOException {
        String shown = names.name(id).orElseGet(() -> InstanceNames.shortId(id));
        html.element(
                "a",
                attr("href", addresses.instance(id)).and("title", Phrases.truncate(id, TITLE_LENGTH)),
                () -> html.foreign(Phrases.shorten(shown, SHORT_ID_LENGTH)));
        shortIdIfShared(id);
    }

    /** The short id of an instance whose name stands alone and is not its own only. */
    public void shortIdIfShared(String id) throws IOException {
        if (names.isShared(id)) {
            html.text(" ");
            shortId(id);
        }
    }

    /** Returns the name of an instance, or its id when it has no name. */
    public String nameOrId(String id) {
        return names.name(id).orElse(id);
    }

    /** An id that is short enough to stand beside a name; its title is the whole id. */
    private void shortId(String id) throws IOException {
        String shown = Phrases.shorten(InstanceNames.shortId(id), SHORT_ID_LENGTH);
        html.element("bdi", attr("class", "dz-short").and("title", id), shown.isBlank() ? "empty" : shown);
    }

    /**
     * A button that copies a text, which the script shows.
     *
     * @param what completes "Copy"
     */
    public void copyButton(String what, String text) throws IOException {
        Attributes button = attr("type", "button")
                .and("class", "dz-copy")
                .and("data-copy", text)
                .and("title", "Copy " + what);
        html.text(" ").element("button", button, () -> {
            icon("dz-copy-icon", "0 0 16 16", SHEETS);
            html.element("span", attr("class", "dz-hidden"), "Copy " + what);
        });
    }

    /** A name, shortened if it is very long; its title is the whole name then. */
    public void name(String name) throws IOException {
        String shown = Phrases.shorten(name, NAME_LENGTH);
        if (shown.equals(name)) {
            html.foreign(name);
        } else {
            html.element("bdi", attr("title", name), shown);
        }
    }

    public void badge(String text) throws IOException {
        html.text(" ").element("span", attr("class", "dz-badge"), text);
    }

    /** A link to the topology page of another instance, which tells that server nothing. */
    public void topologyLink(Instance instance) throws IOException {
        if (instance.console().isPresent()) {
            TopologyLink link = TopologyLink.of(instance.console().get(), addresses.overview());
            html.outside(link.address(), link.host());
        } else {
            html.element("span", attr("class", "dz-soft"), "none published");
        }
    }

    /** The badges that tell the role of an instance. */
    public void badges(Instance instance) throws IOException {
        if (instance.leader() || instance.wasLeader()) {
            String styleClass = instance.leader() ? "dz-badge dz-leader" : "dz-badge dz-former";
            html.text(" ").element("span", attr("class", styleClass), () -> {
                crown();
                html.text(instance.leader() ? "leader" : "was leader");
            });
        }
        if (instance.local()) {
            badge("this instance");
        }
    }

    /** The sign of the leader. */
    public void crown() throws IOException {
        icon("dz-crown", "0 0 16 12", CROWN);
    }

    /** The sign of a state. */
    public void shape(String outline) throws IOException {
        icon("dz-shape", "0 0 16 16", outline);
    }

    /** The state of an instance by sign, word and colour, and since when it is in it. */
    public void stateCell(String label, InstanceStatus status) throws IOException {
        InstanceDisplay display = InstanceDisplay.of(status.state());
        html.element("td", attr("data-label", label).and("class", "dz-to dz-" + display.tone()), () -> {
            html.element("span", attr("class", "dz-word"), () -> {
                shape(display.sign());
                html.text(display.word());
            });
        });
    }

    /** Why an instance is in its state, and since when. */
    public void reason(InstanceStatus status) throws IOException {
        boolean isSaid = status.reason().isEmpty() || status.state() == InstanceState.ACKNOWLEDGED;
        if (!isSaid) {
            html.foreign(Phrases.truncate(status.reason(), REASON_LENGTH));
        }
        if (status.listener().isPresent()
                && !status.reason().contains(status.listener().get())) {
            html.text(isSaid ? "" : "; ").text("waits for listener ");
            html.foreign(Phrases.truncate(status.listener().get(), REASON_LENGTH));
        }
        if (status.sinceMillis().isPresent()) {
            duration(status.state(), status.sinceMillis().getAsLong());
        }
    }

    private void duration(InstanceState state, long sinceMillis) throws IOException {
        if (state == InstanceState.GONE || state == InstanceState.LEFT_OUT) {
            ago(sinceMillis);
        } else {
            html.text(" ").element("span", attr("class", "dz-soft"), () -> {
                html.text("for ");
                elapsed(sinceMillis);
            });
        }
    }

    /** A drawing that repeats what the text beside it says. */
    private void icon(String styleClass, String viewBox, String outline) throws IOException {
        Attributes svg = attr("class", styleClass).and("viewBox", viewBox).and("aria-hidden", "true");
        Attributes path = attr("d", outline).and("fill", "currentColor").and("fill-rule", "evenodd");
        html.element("svg", svg, () -> html.element("path", path, ""));
    }
}
