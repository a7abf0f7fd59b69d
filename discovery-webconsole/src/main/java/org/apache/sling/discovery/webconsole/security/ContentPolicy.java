// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.sling.discovery.webconsole.markup.Sha256;

/**
 * The Content-Security-Policy of a page. It allows scripts and styles of this server, and of inline ones only those in
 * the header of the console. The content of the page after the root element is not considered, so nothing inline is
 * ever allowed there.
 */
public final class ContentPolicy {
    private static final Pattern ROOT = Pattern.compile("<div id=\"discovery-topology\"");
    private static final Pattern SCRIPT = element("script");
    private static final Pattern STYLE = element("style");
    private static final Pattern STYLE_ATTRIBUTE =
            Pattern.compile("<[a-z][^<>]*\\sstyle\\s*=\\s*(?:\"([^\"&]*)\"|'([^'&]*)')", Pattern.CASE_INSENSITIVE);

    private ContentPolicy() {}

    /** Returns the policy of a page. A page without the root element is allowed nothing inline. */
    public static String of(String page) {
        var root = ROOT.matcher(page);
        String header = root.find() ? page.substring(0, root.start()) : "";
        Set<String> scripts = hashes(SCRIPT, header);
        Set<String> styles = new LinkedHashSet<>();
        Set<String> attributes = hashes(STYLE_ATTRIBUTE, header);
        if (!attributes.isEmpty()) {
            styles.add("'unsafe-hashes'");
            styles.addAll(attributes);
        }
        styles.addAll(hashes(STYLE, header));
        return "default-src 'none'; script-src " + sources(scripts) + "; style-src " + sources(styles)
                + "; img-src 'self' data:; connect-src 'self'; form-action 'self'"
                + "; base-uri 'none'; frame-ancestors 'self'";
    }

    private static Pattern element(String name) {
        return Pattern.compile(
                "<" + name + "(?=[\\s>])(?![^>]*\\ssrc\\s*=)[^>]*>(.*?)</" + name,
                Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    private static String sources(Set<String> allowed) {
        return allowed.isEmpty() ? "'self'" : "'self' " + String.join(" ", allowed);
    }

    private static Set<String> hashes(Pattern pattern, String header) {
        Set<String> hashes = new LinkedHashSet<>();
        pattern.matcher(header).results().map(ContentPolicy::content).forEach(content -> hashes.add(hash(content)));
        return hashes;
    }

    private static String content(MatchResult match) {
        return match.group(1) != null ? match.group(1) : match.group(2);
    }

    private static String hash(String content) {
        // Browsers normalize line ends before they compute the hash.
        String normal = content.replace("\r\n", "\n").replace('\r', '\n');
        return "'sha256-"
                + Base64.getEncoder().encodeToString(Sha256.digest(normal.getBytes(StandardCharsets.UTF_8)))
                + "'";
    }
}
