// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.TopologyReport.Countdown;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.format.Phrases;
import org.apache.sling.discovery.webconsole.format.StateDisplay;
import org.apache.sling.discovery.webconsole.format.Times;

/**
 * What all parts of a page are written with.
 *
 * @param html where to
 * @param times as seen from when
 * @param at where the pages are
 */
public record PageWriter(Html html, Times times, Addresses at) {
    /** Longer names are shortened where many of them stand together. */
    static final int NAME_LENGTH = 40;

    private static final String CROWN = "M1 11.5h14l1-8.5l-4.2 2.8l-3.8-5.8l-3.8 5.8l-4.2-2.8z";

    /** Opens a section with its heading. */
    public void section(String id, String title) throws IOException {
        html.open("section", "id", id, "aria-labelledby", id + "-title");
        html.element("h2", title, "id", id + "-title").line();
    }

    /** Opens a section with its heading and how much there is in it. */
    public void section(String id, String title, int count) throws IOException {
        html.open("section", "id", id, "aria-labelledby", id + "-title");
        html.open("h2", "id", id + "-title").text(title).text(" ");
        html.element("span", String.valueOf(count), "class", "dz-count").close().line();
    }

    public void endSection() throws IOException {
        html.close().line();
    }

    public void table(String styleClass, String... headings) throws IOException {
        html.open("table", "class", ("dz-table " + styleClass).strip())
                .open("thead")
                .open("tr");
        for (String heading : headings) {
            html.element("th", heading, "scope", "col");
        }
        html.close().close().open("tbody").line();
    }

    public void endTable() throws IOException {
        html.close().close().line();
    }

    /** Opens a cell that names its column, for narrow screens. */
    public Html cell(String label) throws IOException {
        return html.open("td", "data-label", label);
    }

    public void cell(String label, String value) throws IOException {
        cell(label).foreign(value).close();
    }

    public void wideCell(String label, String value) throws IOException {
        html.open("td", "data-label", label, "class", "dz-wide").foreign(value).close();
    }

    public void number(String label, String value) throws IOException {
        html.element("td", value, "data-label", label, "class", "dz-number");
    }

    public void when(String label, long millis) throws IOException {
        cell(label);
        moment(millis);
        html.close();
    }

    public void facts() throws IOException {
        html.open("dl", "class", "dz-facts");
    }

    public void endFacts() throws IOException {
        html.close().line();
    }

    public void fact(String name, String value) throws IOException {
        html.element("dt", name).open("dd").foreign(value).close();
    }

    public void time(String name, long millis) throws IOException {
        html.element("dt", name).open("dd");
        moment(millis);
        html.close();
    }

    /** A time, and how long ago that was, which the script keeps up to date. */
    public void moment(long millis) throws IOException {
        if (millis <= 0) {
            html.text("unknown");
            return;
        }
        html.element("time", times.absolute(millis), "datetime", times.machine(millis));
        html.text(" ")
                .element(
                        "span",
                        "(" + times.relative(millis) + ")",
                        "class",
                        "dz-ago",
                        "data-ago",
                        String.valueOf(millis));
    }

    /** How long something has lasted, which the script counts on. */
    public void lasting(long sinceMillis) throws IOException {
        html.element("span", times.since(sinceMillis), "class", "dz-tick", "data-since", String.valueOf(sinceMillis));
    }

    /** What will happen and when, which the script counts down. */
    public void countdown(Countdown countdown) throws IOException {
        html.element(
                "bdi",
                countdown.words(times.nowMillis()),
                "class",
                "dz-countdown",
                "data-at",
                String.valueOf(countdown.atMillis()),
                "data-what",
                countdown.what(),
                "aria-live",
                "off");
    }

    public void nothing(String text) throws IOException {
        html.element("p", text, "class", "dz-nothing").line();
    }

    public void link(String id) throws IOException {
        html.open("a", "href", at.instance(id));
        name(id);
        html.close();
    }

    /** A name, shortened where it is very long; the whole of it can still be seen. */
    public void name(String name) throws IOException {
        String shown = Phrases.shortened(name, NAME_LENGTH);
        if (shown.equals(name)) {
            html.foreign(name);
        } else {
            html.element("bdi", shown, "title", name);
        }
    }

    public void badge(String text) throws IOException {
        html.text(" ").element("span", text, "class", "dz-badge");
    }

    public void badges(Instance instance) throws IOException {
        if (instance.leader()) {
            html.text(" ").open("span", "class", "dz-badge dz-leader");
            crown();
            html.text("leader").close();
        }
        if (instance.local()) {
            badge("this instance");
        }
    }

    public void crown() throws IOException {
        icon("dz-crown", "0 0 16 12", CROWN);
    }

    public void shape(StateDisplay state) throws IOException {
        icon("dz-shape", "0 0 16 16", state.shape());
    }

    /** A drawing that says nothing which the text beside it does not say. */
    private void icon(String styleClass, String viewBox, String path) throws IOException {
        html.open("svg", "class", styleClass, "viewBox", viewBox, "aria-hidden", "true");
        html.open("path", "d", path, "fill", "currentColor", "fill-rule", "evenodd")
                .close()
                .close();
    }
}
