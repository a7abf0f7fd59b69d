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
        Document page = tree("");
        Element members = node(page, "/sling/discovery/clusters/main/members");
        assertThat(Markup.elements(members, "li"))
                .extracting(node -> node.getAttribute("data-path"))
                .containsExactly(MEMBER, "/sling/discovery/clusters/main/members/m-2");
        assertThat(Markup.text(page)).contains("6 nodes", "more nodes than are read in one request");
    }

    @Test
    void aNodeHasItsFactsAndItsRecord() throws Exception {
        assertThat(node(tree(""), MEMBER).getTextContent())
                .contains("member", "0x100004d3f2a0001", "123 bytes", "0x2a", "5 s ago", "properties.p1", "value 1");
    }

    @Test
    void aLongRecordIsCutAndCanBeSeenInFull() throws Exception {
        Document page = tree("");
        assertThat(node(page, MEMBER).getTextContent())
                .contains("60 fields in all")
                .doesNotContain("properties.p60");
        String whole = "/system/console/topology?show=tree&path=%2Fsling%2Fdiscovery%2Fclusters%2Fmain%2Fmembers%2Fm-1";
        assertThat(Markup.hrefs(page)).contains(whole);
        assertThat(Markup.text(tree(MEMBER))).contains("properties.p60");
    }

    @Test
    void aBrokenRecordSaysWhy() throws Exception {
        assertThat(node(tree(""), "/sling/discovery/clusters/main/members/m-2").getTextContent())
                .contains("unreadable", "This is no record: it does not begin with a format number.");
    }

    @Test
    void aNodeThatHasGoneIsSaidToBeGone() throws Exception {
        assertThat(Markup.text(tree("/gone"))).contains("The node /gone no longer exists.");
    }

    private static Document tree(String path) throws Exception {
        return Pages.tree(Reports.tree(), path);
    }

    private static Element node(Document page, String path) {
        return Markup.elements(page.getDocumentElement(), "li").stream()
                .filter(node -> node.getAttribute("data-path").equals(path))
                .findFirst()
                .orElseThrow();
    }
}
