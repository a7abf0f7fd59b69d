// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.webconsole.testing.Markup;
import org.apache.sling.discovery.webconsole.testing.Pages;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class TreePageTest {
    private static final String MEMBER = "/sling/discovery/clusters/main/members/m-1";

    @Test
    void nodesStandBelowTheirParents() throws Exception {
        Document page = tree();
        Element members = node(page, "/sling/discovery/clusters/main/members");
        assertThat(Markup.elements(members, "li"))
                .extracting(node -> node.getAttribute("data-path"))
                .containsExactly(MEMBER, "/sling/discovery/clusters/main/members/m-2");
        assertThat(Markup.text(page)).contains("7 nodes", "more nodes than are read in one request");
    }

    @Test
    void aNodeHasItsFactsAndItsRecord() throws Exception {
        assertThat(node(tree(), MEMBER).getTextContent())
                .contains(
                        "member",
                        "0x100004d3f2a0001",
                        "123 bytes",
                        "0x2a",
                        "5 s ago",
                        "properties.p1",
                        "value 1",
                        "properties.p60");
    }

    @Test
    void aBrokenRecordSaysWhy() throws Exception {
        assertThat(node(tree(), "/sling/discovery/clusters/main/members/m-2").getTextContent())
                .contains("unreadable", "This is no record: it does not begin with a format number.");
    }

    private static Document tree() throws Exception {
        return Pages.tree(Reports.tree());
    }

    private static Element node(Document page, String path) {
        return Markup.elements(page.getDocumentElement(), "li").stream()
                .filter(node -> node.getAttribute("data-path").equals(path))
                .findFirst()
                .orElseThrow();
    }
}
