// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.action;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the last actions have led to, to be shown on the page that their sender is led to. Only names travel, so that nobody can make a
 * page say something by a link. May be used from any thread.
 */
final class FlashMessages {
    private static final int MOST = 64;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> sentences = new LinkedHashMap<>();

    /** Keeps a sentence and returns its name. */
    synchronized String add(String sentence) {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        String name = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        sentences.put(name, sentence);
        if (sentences.size() > MOST) {
            sentences.remove(sentences.keySet().iterator().next());
        }
        return name;
    }

    /** Returns a sentence by its name, which may be null; empty when it is not kept any more. */
    synchronized Optional<String> find(String name) {
        return Optional.ofNullable(sentences.get(name));
    }
}
