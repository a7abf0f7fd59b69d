// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The links of the documentation within this project lead to files, and to headings of those that are documents. */
public class DocsLinksTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");
    private static final Pattern REFERENCE = Pattern.compile("(?m)^\\[[^]]+\\]: (?!https?:)([^#\\n]*)(?:#(.*))?$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @ParameterizedTest
    @MethodSource("io.github.discoveryzk.it.DocsNamesTest#pages")
    void linksLeadSomewhere(Path page) throws IOException {
        assertThat(broken(page))
                .as("links of %s that lead nowhere", page.getFileName())
                .isEmpty();
    }

    /** Returns the links of a document that lead to no file or heading. */
    public static Set<String> broken(Path page) throws IOException {
        String text = text(page);
        Set<String> broken = new TreeSet<>();
        for (Pattern pattern : new Pattern[] {LINK, REFERENCE}) {
            for (MatchResult link : pattern.matcher(text).results().toList()) {
                Path target = link.group(1).isEmpty()
                        ? page
                        : page.resolveSibling(link.group(1)).normalize();
                if (!Files.exists(target)
                        || link.group(2) != null && !anchors(target).contains(link.group(2))) {
                    broken.add(link.group());
                }
            }
        }
        return broken;
    }

    private static String text(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page)).replaceAll("");
    }

    /** Returns the anchors that GitHub derives from the headings. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(text(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase()
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
