// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.exchange.Body;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.markup.Sha256;

/**
 * The newest contents of pages. When many pages are open, the first request after a change renders the content, and the
 * others wait for it and share it. May be used from any thread.
 */
final class ContentCache {
    private static final int MOST = 64;

    /** The sentences of a page contain durations, which are not part of the revision of a report. */
    private static final long OLD_MILLIS = 10_000;

    /** What changes without news: times that the script counts itself, and the token, which differs each time. */
    private static final Pattern ELAPSED = Pattern.compile("(data-(?:since|at|ago)=\"[^\"]*\"[^>]*>)[^<]*"
            + "|(data-(?:now|revision)=|name=\"token\" value=)\"[^\"]*\""
            + "|(<p class=\"dz-footer\">)[^<]*");

    private final Map<Key, CompletableFuture<Content>> contents = new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompletableFuture<Content>> eldest) {
            return size() > MOST;
        }
    };

    /**
     * What a content depends on. The token in a content belongs to a user.
     *
     * @param report what tells one report from another
     * @param age the number of the period in which the report was generated
     */
    record Key(String user, String console, Map<String, String> parameters, String report, long age) {}

    /**
     * A rendered content.
     *
     * @param status the status of the response
     * @param body the content, with a tag that is the same as long as nothing visible has changed
     */
    record Content(int status, Body body) {
        static Content of(int status, String contentType, String text) {
            String visible = ELAPSED.matcher(text).replaceAll("$1$2$3");
            String tag = "W/\""
                    + HexFormat.of().formatHex(Sha256.digest(visible.getBytes(StandardCharsets.UTF_8)), 0, 16) + '"';
            return new Content(status, Body.of(contentType, text.getBytes(StandardCharsets.UTF_8), Optional.of(tag)));
        }
    }

    /** Renders a content. */
    interface Renderer {
        Content render() throws IOException;
    }

    /**
     * Returns the key of a request.
     *
     * @param report null when the discovery service is not active
     * @param source distinguishes the services that count revisions
     * @param hasActions whether the content has forms
     */
    static Key key(Request request, TopologyReport report, int source, boolean hasActions) {
        return new Key(
                request.user(),
                request.consoleRoot(),
                request.parameters(),
                source + " " + hasActions + " " + (report == null ? "" : state(report)),
                report == null ? 0 : report.generatedMillis() / OLD_MILLIS);
    }

    /** A view may cease to be current, and a history may be read, before the revision changes. */
    private static String state(TopologyReport report) {
        History history = report.history();
        return report.revision() + " " + report.view().map(View::number) + " "
                + report.view().map(View::current) + " "
                + history.entries().stream().findFirst().map(History.Entry::number) + " "
                + history.entries().size() + " " + history.problems();
    }

    /** Returns the content of a key, rendered at most once. */
    Content get(Key key, Renderer renderer) throws IOException {
        CompletableFuture<Content> own = new CompletableFuture<>();
        CompletableFuture<Content> earlier;
        synchronized (contents) {
            earlier = contents.putIfAbsent(key, own);
        }
        if (earlier == null) {
            render(key, renderer, own);
        }
        try {
            return (earlier == null ? own : earlier).join();
        } catch (CompletionException e) {
            throw new IOException("The page cannot be rendered", e.getCause());
        }
    }

    private void render(Key key, Renderer renderer, CompletableFuture<Content> result) {
        try {
            result.complete(renderer.render());
        } catch (IOException | RuntimeException e) {
            synchronized (contents) {
                contents.remove(key, result);
            }
            result.completeExceptionally(e);
        }
    }
}
