// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Finds elements in pages. Pages are well-formed XML too, which makes unbalanced or injected markup an error. */
public final class Markup {

    private Markup() {}

    public static Document parse(CharSequence page) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader("<page>" + page + "</page>")));
    }

    public static String text(Document page) {
        return page.getDocumentElement().getTextContent();
    }

    /** Returns the text of each row of the first table, or of all within an element with that id. */
    public static List<String> rows(Element within) {
        Element body = (Element) within.getElementsByTagName("tbody").item(0);
        return elements(body, "tr").stream()
                .map(Element::getTextContent)
                .map(String::strip)
                .toList();
    }

    /** Returns the addresses of links to this server. */
    public static List<String> hrefs(Document page) {
        return elements(page.getDocumentElement(), "a").stream()
                .filter(a -> !a.hasAttribute("rel"))
                .map(a -> a.getAttribute("href"))
                .toList();
    }

    /** Returns the names of all elements but links to other servers. */
    public static List<String> names(Document page) {
        return elements(page.getDocumentElement(), "*").stream()
                .filter(element -> !element.hasAttribute("rel"))
                .map(Element::getTagName)
                .toList();
    }

    public static Element byId(Document page, String id) {
        return elements(page.getDocumentElement(), "*").stream()
                .filter(element -> element.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No element with the id " + id));
    }

    public static boolean hasId(Document page, String id) {
        return elements(page.getDocumentElement(), "*").stream()
                .anyMatch(element -> element.getAttribute("id").equals(id));
    }

    public static Element first(Document page, String styleClass) {
        return withClass(page, styleClass).stream().findFirst().orElseThrow();
    }

    public static List<Element> withClass(Document page, String styleClass) {
        return elements(page.getDocumentElement(), "*").stream()
                .filter(e -> List.of(e.getAttribute("class").split(" ")).contains(styleClass))
                .toList();
    }

    public static List<Element> elements(Element parent, String name) {
        NodeList nodes = parent.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }
}
