// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.StoreTree.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The content of a node or of its name, as a flat list of names and values for display. */
public final class RecordFields {
    private static final String PROPERTIES = "properties.";
    private static final String VALUE = "value";
    private static final int SHOWN_CHARACTERS = 10_000;

    private RecordFields() {}

    /** Decodes a node of that kind and name, as strictly as the protocol does. A node without data has what its name says. */
    public static List<Field> of(NodeKind kind, String name, byte[] data, Codecs codecs) throws Unreadable {
        if (data.length == 0) {
            return kind == NodeKind.DEPARTURE
                    ? of(Names.parseLeaveRecord(name).orElseThrow())
                    : Names.parseAcknowledgement(name).map(RecordFields::of).orElse(List.of());
        }
        switch (kind) {
            case ROOT, CLUSTER -> {}
            case MEMBER -> codecs.readMember(data);
            case VIEW -> codecs.readView(data);
            case ENTRY -> codecs.readEntry(data);
            case LEASE -> Codecs.readRenewal(data);
            case DATA_VALUE, DATA_ENTRY -> DataRecords.read(data);
            case ANNOUNCEMENT -> {
                return of(AnnouncementRecords.read(name, data, true));
            }
            default -> throw new Unreadable(data.length + " bytes are in it, but discovery keeps it empty");
        }
        List<Field> fields = new ArrayList<>();
        add(name, "", codecs.read(data), fields);
        return fields;
    }

    private static List<Field> of(SharedAnnouncement announcement) {
        return List.of(
                new Field("holder", announcement.holder()),
                new Field("ownerId", announcement.ownerId()),
                new Field("content", announcement.content().toString()));
    }

    private static List<Field> of(Acknowledgement ack) {
        return List.of(new Field("view", String.valueOf(ack.number())), new Field("member", ack.node()));
    }

    private static List<Field> of(LeaveRecord leaveRecord) {
        return List.of(
                new Field("member", leaveRecord.node()),
                new Field("how", leaveRecord.kind().words()),
                new Field("by", leaveRecord.by()));
    }

    private static void add(String node, String prefix, Fields record, List<Field> fields) {
        record.all().forEach((key, value) -> {
            String name = prefix + key;
            // Only properties and shared maps have names of their own.
            if (value instanceof Fields inner && prefix.isEmpty()) {
                add(node, name + ".", inner, fields);
            } else {
                fields.add(new Field(name, shown(node, name, text(value))));
            }
        });
    }

    /** Returns the elements of a list, of which there may be hundreds, as one value. */
    private static String text(Object value) {
        if (value instanceof Fields inner) {
            return joined(inner.all().values(), " ");
        }
        return value instanceof Collection<?> list ? joined(list, ", ") : String.valueOf(value);
    }

    private static String joined(Collection<?> values, String separator) {
        return values.stream().map(RecordFields::text).collect(Collectors.joining(separator));
    }

    /** Applications name their properties, and shared data by the name of its node. */
    private static String shown(String node, String name, String value) {
        String shown = value;
        if (name.startsWith(PROPERTIES)) {
            shown = Secrets.masked(name.substring(PROPERTIES.length()), value);
        } else if (name.equals(VALUE) || name.startsWith(VALUE + ".")) {
            shown = Secrets.masked(node + name.substring(VALUE.length()), value);
        }
        return shortened(shown);
    }

    /** Returns the beginning of what is too long to be shown. */
    private static String shortened(String shown) {
        return shown.length() > SHOWN_CHARACTERS ? shown.substring(0, SHOWN_CHARACTERS) + "\u2026" : shown;
    }
}
