// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The results of the last actions, each to be shown on the page to which the action redirects. The address of that page
 * has only the name of the message, so a link cannot put a text of its own on a page. May be used from any thread.
 */
final class FlashMessages {
    private static final int MAX_MESSAGES = 64;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> sentences = new LinkedHashMap<>();

    /** Adds a message and returns its name. */
    synchronized String add(String sentence) {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        String name = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        sentences.put(name, sentence);
        if (sentences.size() > MAX_MESSAGES) {
            sentences.remove(sentences.keySet().iterator().next());
        }
        return name;
    }

    /** Returns the message of a name; empty if there is none or it has been dropped. */
    synchronized Optional<String> find(String name) {
        return Optional.ofNullable(sentences.get(name));
    }
}
