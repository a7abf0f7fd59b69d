// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.sling.discovery.sample.readme.Report;
import org.junit.jupiter.api.Test;

/** The components in the README compile as they are shown. */
class ReadmeTest {

    private static final Path SOURCES = Path.of("src/test/java/org/apache/sling/discovery/sample/readme");
    private static final Pattern COMPONENT = Pattern.compile("(?s)```java\n(?!import )(.*?public class (\\w+).*?)```");

    private static String spaced(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    @Test
    void theComponentsAreShownAsTheyAre() throws IOException {
        List<MatchResult> shown = COMPONENT
                .matcher(Files.readString(Path.of("../../README.md")))
                .results()
                .toList();
        assertThat(shown)
                .extracting(each -> each.group(2))
                .containsExactly("Watcher", "MyProperty", "ReportJob", "Report");
        for (MatchResult each : shown) {
            assertThat(spaced(Files.readString(SOURCES.resolve(each.group(2) + ".java"))))
                    .endsWith(spaced(each.group(1)));
        }
    }

    @Test
    void theReportRefusesAnEarlierLeader() {
        Report report = new Report();
        report.write(41, "first");
        report.write(41, "second");
        report.write(57, "third");
        assertThatThrownBy(() -> report.write(41, "late")).hasMessageContaining("stale token 41");
        assertThat(report.read()).isEqualTo("third");
    }
}
