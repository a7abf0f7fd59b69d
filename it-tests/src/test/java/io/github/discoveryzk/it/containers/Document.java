// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The commands of a document, which tests run as they stand there. */
public final class Document {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\w*)\\n(.*?)^ *```$");

    private Document() {}

    /** Returns the only block of a document that contains a text. */
    public static String block(String file, String part) {
        List<String> found =
                blocks(file).stream().filter(each -> each.contains(part)).toList();
        assertThat(found).as("blocks of %s with %s", file, part).hasSize(1);
        return found.get(0).strip();
    }

    /** Returns the first block of a document after a text. */
    public static String after(String file, String text) {
        String document = read(file);
        assertThat(document).contains(text);
        return blocksOf(document.substring(document.indexOf(text))).get(0).strip();
    }

    /** Returns all blocks of commands and configurations. */
    static List<String> blocks(String file) {
        return blocksOf(read(file));
    }

    private static List<String> blocksOf(String text) {
        return BLOCK.matcher(text)
                .results()
                .filter(each -> !List.of("java", "log").contains(each.group(1)))
                .map(each -> each.group(2).stripIndent())
                .toList();
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of("..", file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
