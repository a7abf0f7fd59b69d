// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.FormatRange;

/**
 * The formats in which this version reads and writes the records of members, views and history entries. Whatever the format, a
 * record is a JSON object with the number of its format in the field {@code format}, so that each version can tell which one it
 * does not know.
 */
public final class Formats {
    /** The field of each record that has the number of its format. */
    static final String FIELD = "format";

    /** The format of the nodes that all versions read: the marker of the root and the id of the cluster. */
    public static final int LASTING = 1;

    /** What this version knows. */
    public static final Formats CURRENT = new Formats(List.of(new Layout(LASTING, fields -> fields, stored -> stored)));

    private final Map<Integer, Layout> layouts;
    private final FormatRange range;

    /**
     * Makes one of layouts with successive numbers.
     *
     * @throws IllegalArgumentException when there is none
     */
    public Formats(List<Layout> known) {
        layouts = known.stream()
                .collect(Collectors.toMap(Layout::number, Function.identity(), (one, other) -> other, TreeMap::new));
        range = new FormatRange(
                layouts.keySet().stream().min(Integer::compare).orElseThrow(IllegalArgumentException::new),
                layouts.keySet().stream().max(Integer::compare).orElseThrow());
    }

    FormatRange range() {
        return range;
    }

    /** Turns fields, one of which is named {@code format}, into what is stored; that field stays as it is. */
    ObjectNode encode(ObjectNode fields, int format) {
        ObjectNode stored = layouts.get(format).store().apply(fields);
        return stored.put(FIELD, format);
    }

    /** Turns what is stored into fields again. */
    ObjectNode decode(ObjectNode stored) throws Unreadable {
        int format = stored.path(FIELD).intValue();
        if (!range.contains(format)) {
            throw new Unreadable("it has format " + format + ", and this version knows " + range);
        }
        return layouts.get(format).restore().apply(stored).put(FIELD, format);
    }

    /**
     * One format.
     *
     * @param number its number
     * @param store turns the fields of a record into what is stored
     * @param restore turns what is stored into the fields again
     */
    public record Layout(
            int number, Function<ObjectNode, ObjectNode> store, Function<ObjectNode, ObjectNode> restore) {}
}
