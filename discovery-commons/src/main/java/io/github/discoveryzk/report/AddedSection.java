// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.report.Health.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A section that another bundle adds to the topology page and its JSON document: what belongs to the cluster, and what the page cannot know.
 * A service of this type is shown while it is registered. Called by threads of the web console, for each request of an open page.
 */
@ConsumerType
@FunctionalInterface
public interface AddedSection {

    /** Returns what to show now; without sentences and rows it is not shown. */
    Content content();

    /** Returns what an operator must look at, whether or not a page is open. Called for each report by any thread; neither blocks nor fails. */
    default List<Finding> findings() {
        return List.of();
    }

    /** Returns why no store answers, if this part knows. Called for each report by any thread; neither blocks nor fails. */
    default Optional<String> whyUnreachable() {
        return Optional.empty();
    }

    /** Returns the metrics of its part. Called by any thread; neither blocks nor fails. */
    default List<Metric> metrics() {
        return List.of();
    }

    /** Returns how far the start of its part of the container is. Called for each report by any thread; neither blocks nor fails. */
    default Startup startup() {
        return Startup.OVER;
    }

    /**
     * Returns why this container should not be stopped now, a sentence each. What is not known yet is a reason; the call has it found out, so that the
     * next one knows. Called by any thread when a caller wants to know; may wait up to a second, and does not fail.
     */
    default List<String> objections() {
        return List.of();
    }

    /** Returns why instances should be restarted late, by id. Called by any thread; neither blocks nor fails. */
    default Map<String, String> lateRestarts() {
        return Map.of();
    }

    /**
     * Returns what instances do for this part, in some words each, by id. Called by threads of the web console, for each request of an open page.
     */
    default Map<String, String> roles() {
        return Map.of();
    }

    /**
     * Plain text, which the page escapes.
     *
     * @param title the heading
     * @param sentences what stands above the table
     * @param columns the headings of the columns; the first column names the rows
     * @param rows the rows, each with a text for each column
     */
    record Content(String title, List<String> sentences, List<String> columns, List<List<String>> rows) {
        public Content {
            sentences = List.copyOf(sentences);
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }
}
