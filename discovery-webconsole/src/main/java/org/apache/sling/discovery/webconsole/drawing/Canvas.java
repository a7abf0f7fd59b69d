// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;

import java.util.Map;
import org.apache.sling.discovery.webconsole.markup.Attributes;
import org.apache.sling.discovery.webconsole.markup.Html;

/** Writes the parts of drawings. */
record Canvas(Html html) {

    /** Writes the explanation of a picture: each entry with a small drawing. */
    void legend(Map<String, Runnable> entries) {
        html.element(
                        "ul",
                        attr("class", "dz-legend"),
                        () -> entries.forEach((text, drawing) -> html.element("li", () -> {
                            Attributes key = attr("class", "dz-key")
                                    .and("viewBox", "0 0 24 14")
                                    .and("aria-hidden", "true");
                            html.element("svg", key, drawing).text(text);
                        })))
                .line();
    }

    /** Writes a rectangle with round corners; the title may be empty. */
    void rectangle(String styleClass, int x, int y, int width, int height, String title) {
        Attributes attributes = attr("class", styleClass)
                .and("x", x)
                .and("y", y)
                .and("width", width)
                .and("height", height)
                .and("rx", 2);
        html.element("rect", attributes, () -> {
            if (!title.isEmpty()) {
                html.element("title", title);
            }
        });
    }

    /** Writes a line or an outline. */
    void path(String styleClass, String outline) {
        html.element("path", attr("d", outline).and("class", styleClass), "");
    }

    /** Writes a part of the page that scrolls sideways, which the keyboard must be able to reach. */
    void scrolling(String id, String label, Runnable content) {
        Attributes attributes = attr("class", "dz-scroll")
                .and("id", id)
                .and("tabindex", "0")
                .and("role", "region")
                .and("aria-label", label + ", scrolls sideways");
        html.element("div", attributes, content).line();
    }

    /** Writes a drawing; its label names the part of the page that has the same facts as text. */
    void drawing(String styleClass, int width, int height, String label, Runnable content) {
        Attributes svg = attr("class", styleClass)
                .and("width", width)
                .and("height", height)
                .and("viewBox", "0 0 " + width + " " + height)
                .and("role", "img")
                .and("aria-label", label);
        html.element("svg", svg, () -> {
            html.line();
            content.run();
        });
    }
}
