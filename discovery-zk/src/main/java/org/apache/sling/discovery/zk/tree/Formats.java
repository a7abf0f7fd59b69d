// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.commons.model.FormatRange;

/**
 * The formats in which this version reads and writes the records of members, views and history entries. In each format a
 * record is a JSON object with the number of the format in the field {@code format}, so that each version recognizes the formats that
 * it does not know.
 */
public final class Formats {
    /** The field of each record that has the number of its format. */
    static final String FIELD = "format";

    static final String NO_RECORD = "it is not a record of this product";

    /** The format of the nodes that all versions read: the marker of the root and the id of the cluster. */
    public static final int LASTING = 1;

    /** The formats that this version knows. */
    public static final Formats CURRENT = new Formats(List.of(Layout.plain(LASTING)));

    private final TreeMap<Integer, Layout> layouts = new TreeMap<>();

    /** Creates formats of layouts with successive numbers, of which there is at least one. */
    public Formats(List<Layout> known) {
        known.forEach(layout -> layouts.put(layout.number(), layout));
    }

    FormatRange range() {
        return new FormatRange(layouts.firstKey(), layouts.lastKey());
    }

    /** Encodes a record in the format that it names. */
    Fields encode(Fields record) {
        Object format = record.all().get(FIELD);
        return layouts.get(format).store().apply(record).put(FIELD, format);
    }

    /** Decodes a stored value. */
    Fields decode(Object stored) throws Unreadable {
        if (!(stored instanceof Fields fields && fields.all().get(FIELD) instanceof Integer format && format > 0)) {
            throw new Unreadable(NO_RECORD);
        }
        if (!range().contains(format)) {
            throw new Unreadable("it has format " + format + ", and this version knows " + range());
        }
        return layouts.get(format).restore().apply(fields).put(FIELD, format);
    }

    /**
     * One format.
     *
     * @param number its number
     * @param store encodes the fields of a record
     * @param restore decodes the fields of a record
     */
    public record Layout(int number, UnaryOperator<Fields> store, Restorer restore) {
        /** Returns a format in which the fields are stored as they are. */
        public static Layout plain(int number) {
            return new Layout(number, fields -> fields, stored -> stored);
        }
    }

    /** Decodes the fields of a stored record. */
    public interface Restorer {
        Fields apply(Fields stored) throws Unreadable;
    }
}
