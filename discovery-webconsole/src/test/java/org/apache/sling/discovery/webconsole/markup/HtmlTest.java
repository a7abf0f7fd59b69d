// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import static org.apache.sling.discovery.webconsole.markup.Attributes.attr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTest {
    private final Html html = new Html();

    @Test
    void escapesTextAndAttributes() {
        html.element("p", attr("title", "\"><script>"), "<&>");
        assertThat(html).hasToString("<p title=\"&quot;&gt;&lt;script&gt;\">&lt;&amp;&gt;</p>");
    }

    @Test
    void closesEachElement() {
        html.element("ul", () -> html.element("li", "a"));
        assertThat(html).hasToString("<ul><li>a</li></ul>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "//elsewhere.example",
                "/\\elsewhere.example",
                "http://elsewhere.example",
                ""
            })
    void addressesStayOnThisServer(String address) {
        assertThatIllegalArgumentException().isThrownBy(() -> html.element("a", attr("href", address), ""));
    }

    @Test
    void namesAreNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> html.element("a b", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> html.element("a", attr("x=1 y", ""), ""));
    }
}
