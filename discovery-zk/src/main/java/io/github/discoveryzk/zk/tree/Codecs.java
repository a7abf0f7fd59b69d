// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewDifference.Removal;
import io.github.discoveryzk.model.ViewHead;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Encodes and decodes all records. Those of members, views and history entries have one of the formats that this version knows. The marker
 * of the root, the id of the cluster and renewals are read by every version: an instance that cannot read the view needs
 * the length of its leader's lease all the more.
 */
public final class Codecs {
    public static final Codecs CURRENT = new Codecs(Formats.CURRENT);

    private static final String PRODUCT = "discovery-zk";
    private static final int NAMED_PROPERTIES = 3;

    private final Formats formats;

    public Codecs(Formats formats) {
        this.formats = formats;
    }

    public FormatRange formats() {
        return formats.range();
    }

    /** Decodes any record of a known format. */
    public Fields read(byte[] bytes) throws Unreadable {
        return formats.read(bytes);
    }

    /** Returns what marks the root as one of this product. */
    public static byte[] marker() {
        return Formats.write(Formats.lasting().put("product", PRODUCT));
    }

    public static boolean isMarker(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(bytes).find("product").equals(Optional.of(PRODUCT));
    }

    /** Encodes the id of a new cluster. */
    public static byte[] newClusterId() {
        return Formats.write(Formats.lasting().put("id", UUID.randomUUID().toString()));
    }

    public static String readClusterId(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(
                bytes, fields -> UUID.fromString(fields.text("id")).toString());
    }

    /**
     * Encodes a record in the format that it names.
     *
     * @throws TooLarge with the names of the largest properties
     */
    public static byte[] write(MemberRecord record) throws TooLarge {
        ProcessInfo process = record.process();
        byte[] bytes = Formats.write(Fields.ofFormat(record.format())
                .put("instanceId", record.instanceId())
                .put("runtimeId", process.runtimeId())
                .put("host", process.host())
                .put("pid", process.pid())
                .put("home", process.home())
                .put("started", process.startedMillis())
                .put("settings", process.settings())
                .put("machine", process.machine())
                .put("process", process.processName())
                .put("endpoint", process.endpoint())
                .put("sessionTimeout", record.sessionTimeoutMillis())
                .put("voidUpTo", record.invalidatedUpTo().stream().boxed().findFirst())
                .put("waitingFor", record.waitingFor())
                .put("properties", Fields.of(record.properties())));
        if (bytes.length > Formats.LIMIT) {
            throw new TooLarge(
                    "The record of this instance takes " + bytes.length + " bytes, but the store accepts only "
                            + Formats.LIMIT + "; the largest properties are " + largest(record.properties())
                            + ". Offer smaller ones.");
        }
        return bytes;
    }

    private static String largest(Map<String, String> properties) {
        return properties.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, String> property) ->
                        -property.getValue().length()))
                .limit(NAMED_PROPERTIES)
                .map(property -> property.getKey() + " (" + property.getValue().length() + " characters)")
                .collect(Collectors.joining(", "));
    }

    public MemberRecord readMember(byte[] bytes) throws Unreadable {
        return formats.read(
                bytes,
                fields -> new MemberRecord(
                        fields.text("instanceId"),
                        new ProcessInfo(
                                fields.text("runtimeId"),
                                fields.text("host"),
                                fields.number("pid"),
                                fields.text("home"),
                                fields.number("started"),
                                fields.find("settings").orElse(""),
                                fields.find("machine").orElse(""),
                                fields.find("process").orElse(""),
                                fields.find("endpoint").orElse("")),
                        Plausibility.sessionTimeout(fields),
                        fields.findNumber("voidUpTo").map(OptionalLong::of).orElse(OptionalLong.empty()),
                        fields.find("waitingFor"),
                        fields.map("properties"),
                        fields.integer(Formats.FIELD)));
    }

    /** Encodes a view. The size is not limited here, because a view is written together with its history entry. */
    public static byte[] write(EstablishedView view, int format) {
        return Formats.write(fields(view.head(), format)
                .put("members", fields(view.members()))
                .put("leftOut", new TreeSet<>(view.excluded())));
    }

    public EstablishedView readView(byte[] bytes) throws Unreadable {
        return formats.read(
                bytes,
                fields -> new EstablishedView(
                        head(fields),
                        fields.objects("members", Codecs::incarnation),
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
    public static byte[] write(HistoryEntry entry, int format) {
        ViewDifference difference = entry.difference();
        return Formats.write(fields(difference.head(), format)
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
                .put("left", entry.left().stream().map(Codecs::fields).toList())
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
                        fields.objects("left", Codecs::departure),
                        fields.number("published"),
                        fields.number("changing")));
    }

    private static ViewDifference difference(Fields fields) throws Unreadable {
        return new ViewDifference(
                head(fields),
                fields.objects("removed", one -> new Removal(one.integer("position"), incarnation(one))),
                fields.objects("joined", Codecs::incarnation),
                Set.copyOf(fields.texts("leftOut")),
                fields.text("leader"),
                fields.integer("size"),
                fields.number("digest"));
    }

    /** Earlier versions write no kind. A kind of a later version is read as none. */
    private static Departure departure(Fields fields) throws Unreadable {
        return new Departure(
                incarnation(fields),
                fields.find("kind").flatMap(Names::kind),
                fields.find("by"),
                fields.findNumber("after").orElse(0L));
    }

    private static Fields fields(Departure departure) {
        return fields(new Fields(), departure.member())
                .put("kind", departure.kind().map(Names::word))
                .put("by", departure.by())
                .put("after", Optional.of(departure.afterMillis()).filter(millis -> millis > 0));
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

    public static byte[] write(Renewal renewal) {
        return Formats.write(
                Formats.lasting().put("node", renewal.node()).put("sessionTimeout", renewal.sessionTimeoutMillis()));
    }

    public static Renewal readRenewal(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(
                bytes, fields -> new Renewal(fields.text("node"), Plausibility.sessionTimeout(fields)));
    }
}
