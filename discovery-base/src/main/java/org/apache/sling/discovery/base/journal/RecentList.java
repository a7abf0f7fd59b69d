// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.List;
import java.util.stream.Stream;

/** A list that keeps the newest elements only, newest first. Written by one thread, read by any. */
final class RecentList<T> {

    private final int limit;
    private volatile List<T> elements = List.of();

    RecentList(int limit) {
        this.limit = limit;
    }

    void add(T element) {
        elements = Stream.concat(Stream.of(element), elements.stream())
                .limit(limit)
                .toList();
    }

    List<T> elements() {
        return elements;
    }
}
