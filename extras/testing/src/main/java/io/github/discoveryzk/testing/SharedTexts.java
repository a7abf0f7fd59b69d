// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import io.github.discoveryzk.model.Bytes;
import java.util.Map;
import java.util.stream.Collectors;

/** Contents of shared announcements as a test writes them down. */
public final class SharedTexts {
    private SharedTexts() {}

    /** Returns texts by owner as a store takes them. */
    public static Map<String, Bytes> encoded(Map<String, String> texts) {
        return texts.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> Bytes.of(each.getValue())));
    }
}
