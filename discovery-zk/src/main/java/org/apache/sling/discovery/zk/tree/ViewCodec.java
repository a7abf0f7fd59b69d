// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewDifference.Removal;
import org.apache.sling.discovery.commons.model.ViewHead;

/** Encodes and decodes views and history entries. */
public final class ViewCodec {
    private final Formats formats;

    ViewCodec(Formats formats) {
        this.formats = formats;
    }

    /** Encodes a view. The size is not limited here, because a view is written together with its history entry. */
    public byte[] write(EstablishedView view, int format) {
        return formats.write(fields(view.head(), format)
                .put("members", fields(view.members()))
                .put("leftOut", new TreeSet<>(view.excluded())));
    }

    public EstablishedView readView(byte[] bytes) throws Unreadable {
        return formats.read(
                bytes,
                fields -> new EstablishedView(
                        head(fields),
                        fields.objects("members", ViewCodec::incarnation),
                        Set.copyOf(fields.texts("leftOut"))));
    }

    /** Earlier versions write no reasons and read the text {@code cause}. */
    private static Fields fields(ViewHead head, int format) {
        String text = Reason.sentence(head.cause());
        boolean plain = head.cause().equals(Reason.ofText(text));
        return Fields.ofFormat(format)
                .put("number", head.number())
                .put("previous", head.previous())
                .put("token", head.token())
                .put("sessionTimeout", head.sessionTimeoutMillis())
                .put("leaderSince", head.leaderSinceMillis())
                .put("cause", text)
                .put("reasons", plain ? Optional.empty() : Optional.of(Reason.toStored(head.cause())))
                .put("publisher", head.publisher());
    }

    private static ViewHead head(Fields fields) throws Unreadable {
        return new ViewHead(
                fields.number("number"),
                fields.number("previous"),
                fields.number("token"),
                Plausibility.sessionTimeout(fields),
                fields.number("leaderSince"),
                Reason.ofStored(fields.findLists("reasons").orElse(null), fields.text("cause")),
                fields.text("publisher"));
    }

    /** Encodes an entry. Earlier versions read the texts {@code late}, which follow from the other fields. */
    public byte[] write(HistoryEntry entry, int format) {
        ViewDifference difference = entry.difference();
        return formats.write(fields(difference.head(), format)
                .put(
                        "removed",
                        difference.removed().stream()
                                .map(removal ->
                                        fields(new Fields().put("position", removal.position()), removal.member()))
                                .toList())
                .put("joined", fields(difference.joined()))
                .put("leftOut", new TreeSet<>(difference.excluded()))
                .put("leader", difference.leader())
                .put("size", difference.size())
                .put("digest", difference.digest())
                .put("left", entry.left().stream().map(ViewCodec::fields).toList())
                .put(
                        "late",
                        entry.late().entrySet().stream()
                                .map(each -> Reason.blamed(each.getKey(), each.getValue()))
                                .toList())
                .put("published", entry.publishedMillis())
                .put("changing", entry.changingMillis()));
    }

    public HistoryEntry readEntry(byte[] bytes) throws Unreadable {
        return formats.read(
                bytes,
                fields -> new HistoryEntry(
                        difference(fields),
                        fields.objects("left", ViewCodec::departure),
                        fields.number("published"),
                        fields.number("changing")));
    }

    private static ViewDifference difference(Fields fields) throws Unreadable {
        return new ViewDifference(
                head(fields),
                fields.objects("removed", one -> new Removal(one.integer("position"), incarnation(one))),
                fields.objects("joined", ViewCodec::incarnation),
                Set.copyOf(fields.texts("leftOut")),
                fields.text("leader"),
                fields.integer("size"),
                fields.number("digest"));
    }

    /** Earlier versions write no kind. A kind of a later version is read as none. */
    private static Departure departure(Fields fields) throws Unreadable {
        return new Departure(incarnation(fields), fields.find("kind").flatMap(Names::kind), fields.find("by"));
    }

    private static Fields fields(Departure departure) {
        return fields(new Fields(), departure.member())
                .put("kind", departure.kind().map(Names::word))
                .put("by", departure.by());
    }

    private static List<Fields> fields(Collection<Incarnation> incarnations) {
        return incarnations.stream().map(one -> fields(new Fields(), one)).toList();
    }

    private static Fields fields(Fields record, Incarnation incarnation) {
        return record.put("node", incarnation.node()).put("id", incarnation.instanceId());
    }

    private static Incarnation incarnation(Fields fields) throws Unreadable {
        return new Incarnation(fields.text("node"), fields.text("id"));
    }
}
