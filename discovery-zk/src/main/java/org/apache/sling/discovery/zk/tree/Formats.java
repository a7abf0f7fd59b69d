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
 * The formats in which this version reads and writes the records of members, views and history entries. In each format a
 * record is a JSON object with the number of the format in the field {@code format}, so that each version recognizes the formats that
 * it does not know.
 */
public final class Formats {
    /** The field of each record that has the number of its format. */
    static final String FIELD = "format";

    /** The format of the nodes that all versions read: the marker of the root and the id of the cluster. */
    public static final int LASTING = 1;

    /** The formats that this version knows. */
    public static final Formats CURRENT = new Formats(List.of(Layout.plain(LASTING)));

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

    /** Returns whether records in that format are stored as they are. */
    boolean isPlain(int format) {
        Layout layout = layouts.get(format);
        return layout != null && layout.store() == Layout.AS_IT_IS && layout.restore() == Layout.AS_IT_IS;
    }

    /** Encodes fields, one of which is named {@code format}, in that format. That field itself is not changed. */
    ObjectNode encode(ObjectNode fields, int format) {
        ObjectNode stored = layouts.get(format).store().apply(fields);
        return stored.put(FIELD, format);
    }

    /** Decodes the fields of a stored record. */
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
     * @param store encodes the fields of a record
     * @param restore decodes the fields of a record
     */
    public record Layout(int number, Function<ObjectNode, ObjectNode> store, Function<ObjectNode, ObjectNode> restore) {
        private static final Function<ObjectNode, ObjectNode> AS_IT_IS = fields -> fields;

        /** Makes a format in which the fields are stored as they are. */
        public static Layout plain(int number) {
            return new Layout(number, AS_IT_IS, AS_IT_IS);
        }
    }
}
