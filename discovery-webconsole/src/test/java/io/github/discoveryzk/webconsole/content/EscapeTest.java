// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EscapeTest {

    @Test
    void markupBecomesText() {
        assertThat(Escape.html("<b a=\"1\" c='2'>&]]></b>"))
                .isEqualTo("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;]]&gt;&lt;/b&gt;");
    }

    @Test
    void theConsoleFindsNoVariable() {
        assertThat(Escape.html("${appRoot}")).doesNotContain("${").isEqualTo("&#36;{appRoot}");
    }

    @Test
    void scriptsAndSymbolsOfAllLanguagesStay() {
        String text = "שלום мир 世界 👩‍👩‍👧 é";
        assertThat(Escape.html(text)).isEqualTo(text);
        assertThat(Escape.line(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\0", "\u001b", "\r", "\u007f", "\u0085", "\ud800", "\udc00x", "\u202e", "\u2066", "\u200b", "\ufffe"
            })
    void whatCannotBeSeenIsShown(String text) {
        for (String escaped : new String[] {Escape.html(text), Escape.line(text)}) {
            assertThat(escaped).isNotEmpty().doesNotContain(text.substring(0, 1));
        }
    }

    @Test
    void aLineIsOneLine() {
        assertThat(Escape.line("a\nb\r\nc\td\\n\u2028")).isEqualTo("a\\nb\\r\\nc\\td\\\\n[U+2028]");
    }

    @Test
    void addressesHoldNothingButUnreservedCharacters() {
        assertThat(Escape.url("a/../b?c#d&e=f g.h%ü👑\ud800"))
                .isEqualTo("a%2F..%2Fb%3Fc%23d%26e%3Df%20g.h%25%C3%BC%F0%9F%91%91%3F");
    }
}
