// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;

/** Chooses the page that a request asks for, and has read what that page shows. */
final class Pages {
    private static final long HISTORY_MILLIS = 1_000;
    private static final long TREE_MILLIS = 5_000;

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
        String instance = inPath.isEmpty() ? parameter(request, HtmlRenderer.INSTANCE) : inPath;
        if (reporter == null) {
            renderer.inactive(response.getWriter());
        } else if (show.equals("history")) {
            waitForHistory();
            renderer.history(reporter.report(), HistoryFilter.of(request::getParameter), response.getWriter());
        } else if (show.equals("tree")) {
            tree(parameter(request, Addresses.PATH), response.getWriter());
        } else if (instance.isEmpty()) {
            renderer.overview(reporter.report(), response.getWriter());
        } else {
            instance(instance, parameter(request, InstancePage.SEARCH), response);
        }
    }

    private void instance(String id, String search, HttpServletResponse response) throws IOException {
        waitForHistory();
        TopologyReport report = reporter.report();
        if (!HtmlRenderer.knows(report, id)) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        }
        renderer.instance(report, id, search, response.getWriter());
    }

    private void tree(String path, Writer out) throws IOException {
        try {
            StoreTree tree = within(TREE_MILLIS, reporter.readTree());
            renderer.tree(reporter.report(), tree, path, out);
        } catch (TimeoutException e) {
            renderer.noTree(
                    reporter.report(),
                    "The store has not answered within " + Times.duration(TREE_MILLIS) + ". Try again later.",
                    out);
        } catch (ExecutionException e) {
            renderer.noTree(
                    reporter.report(),
                    "The store cannot be read now: " + e.getCause().getMessage(),
                    out);
        }
    }

    /** Shows what is known where the store does not answer in time: it may never do so. */
    private void waitForHistory() throws IOException {
        try {
            within(HISTORY_MILLIS, reporter.readHistory());
        } catch (TimeoutException | ExecutionException e) {
            return;
        }
    }

    private static <T> T within(long millis, CompletionStage<T> stage)
            throws IOException, TimeoutException, ExecutionException {
        try {
            return stage.toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the store was asked", e);
        }
    }

    private static String parameter(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }
}
