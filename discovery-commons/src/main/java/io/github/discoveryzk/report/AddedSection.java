// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.report.Health.Finding;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A section that another bundle adds to the topology page: what belongs to the cluster, and what the page cannot know. A service of
 * this type is shown while it is registered. Called by threads of the web console, whenever the page is rendered.
 */
@ConsumerType
@FunctionalInterface
public interface AddedSection {

    /** Returns what to show now. */
    Content content();

    /** Returns what an operator must look at, whether or not a page is open. Called for each report by any thread; neither blocks nor fails. */
    default List<Finding> findings() {
        return List.of();
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
