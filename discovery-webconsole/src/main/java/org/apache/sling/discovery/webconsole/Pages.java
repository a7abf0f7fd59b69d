// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.util.Objects;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;

/** Chooses the page that a request asks for, and has read what that page shows. */
final class Pages {
    /** Pages that are open are asked for again with each change, so they wait less for what is normally known already. */
    private static final Reading HISTORY = new Reading(1_000);

    private final HtmlRenderer renderer;
    private final Reporter reporter;

    /** @param reporter null when the discovery service is not there */
    Pages(HtmlRenderer renderer, Reporter reporter) {
        this.renderer = renderer;
        this.reporter = reporter;
    }

    /** @param inPath the instance id that is part of the path, empty when there is none */
    void write(String inPath, HttpServletRequest request, HttpServletResponse response) throws IOException {
        String show = parameter(request, Addresses.SHOW);
        String instance = inPath.isEmpty() ? parameter(request, Addresses.INSTANCE) : inPath;
        if (reporter == null) {
            renderer.inactive(response.getWriter());
        } else if (show.equals("history")) {
            renderer.history(
                    HISTORY.report(reporter).report(), HistoryFilter.of(request::getParameter), response.getWriter());
        } else if (show.equals("tree")) {
            tree(parameter(request, Addresses.PATH), response.getWriter());
        } else if (instance.isEmpty()) {
            renderer.overview(reporter.report(), response.getWriter());
        } else {
            instance(instance, parameter(request, InstancePage.SEARCH), response);
        }
    }

    private void instance(String id, String search, HttpServletResponse response) throws IOException {
        TopologyReport report = HISTORY.report(reporter).report();
        if (!report.hasInstance(id)) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        }
        renderer.instance(report, id, search, response.getWriter());
    }

    private void tree(String path, Writer out) throws IOException {
        try {
            StoreTree tree = Reading.PATIENT.tree(reporter);
            renderer.tree(reporter.report(), tree, path, out);
        } catch (Reading.Missing e) {
            renderer.noTree(reporter.report(), "The store cannot be read now: " + e.getMessage(), out);
        }
    }

    private static String parameter(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }
}
