// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTest {
    private final StringBuilder out = new StringBuilder();
    private final Html html = new Html(out);

    @Test
    void escapesTextAndAttributes() throws IOException {
        html.open("p", "title", "\"><script>").text("<&>").close();
        assertThat(out).hasToString("<p title=\"&quot;&gt;&lt;script&gt;\">&lt;&amp;&gt;</p>");
    }

    @Test
    void closesTheInnermostElement() throws IOException {
        html.open("ul").open("li").text("a").close().close();
        assertThat(out).hasToString("<ul><li>a</li></ul>");
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
        assertThatIllegalArgumentException().isThrownBy(() -> html.open("a", "href", address));
    }

    @Test
    void namesAreNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> html.open("a b"));
        assertThatIllegalArgumentException().isThrownBy(() -> html.open("a", "x=1 y", ""));
    }
}
