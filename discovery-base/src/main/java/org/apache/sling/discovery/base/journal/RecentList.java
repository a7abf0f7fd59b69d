// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A list that keeps the newest elements only, newest first. Written by one thread, read by any. */
final class RecentList<T> {

    private final int limit;
    private volatile List<T> elements = List.of();

    RecentList(int limit) {
        this.limit = limit;
    }

    void add(T element) {
        List<T> next = new ArrayList<>(elements.size() + 1);
        next.add(element);
        next.addAll(elements.subList(0, Math.min(elements.size(), limit - 1)));
        elements = Collections.unmodifiableList(next);
    }

    List<T> elements() {
        return elements;
    }
}
