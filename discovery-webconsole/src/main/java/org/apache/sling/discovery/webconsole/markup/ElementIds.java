// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Element ids for names of unknown origin. A name always has the same id. */
public final class ElementIds {
    private static final int LENGTH = 16;

    private ElementIds() {}

    public static String of(String prefix, String name) {
        byte[] digest = Sha256.digest(name.getBytes(StandardCharsets.UTF_8));
        return prefix + "-"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(digest).substring(0, LENGTH);
    }
}
