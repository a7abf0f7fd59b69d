// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageHeadTest {
    private static final String BODY =
            "<div id=\"discovery-topology\" data-title=\"SETTLED · a &lt;b&gt; &#36;1\"><title>x</title>";

    @Test
    void phonesAreToldTheirWidthAndTheTabItsTitle() {
        assertThat(PageHead.complete("<html><head lang=\"en\"><title>Console - Topology</title></head>" + BODY))
                .isEqualTo("<html><head lang=\"en\">"
                        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
                        + "<title>SETTLED · a &lt;b&gt; &#36;1</title></head>" + BODY);
    }

    @Test
    void aConsoleThatTellsPhonesTheirWidthKeepsItsWay() {
        String page = "<head><meta name=\"viewport\" content=\"x\"/><title></title></head>";
        assertThat(PageHead.complete(page + BODY)).containsOnlyOnce("viewport").contains("content=\"x\"");
    }

    @Test
    void otherPagesStayAsTheyAre() {
        String page = "<head><title>Console</title></head><p>Not found</p>";
        assertThat(PageHead.complete(page)).isEqualTo(page);
    }
}
