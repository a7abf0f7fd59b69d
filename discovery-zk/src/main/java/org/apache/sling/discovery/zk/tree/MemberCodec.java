// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;

/** Encodes and decodes the records of members. */
public final class MemberCodec {
    private static final int NAMED_PROPERTIES = 3;

    private final Payload payload;

    MemberCodec(Payload payload) {
        this.payload = payload;
    }

    /**
     * Encodes a record in the format that it names.
     *
     * @throws TooLarge with the names of the largest properties
     */
    public byte[] write(MemberRecord record) throws TooLarge {
        ProcessInfo process = record.process();
        byte[] bytes = payload.write(Fields.ofFormat(record.format())
                .put("instanceId", record.instanceId())
                .put("runtimeId", process.runtimeId())
                .put("host", process.host())
                .put("pid", process.pid())
                .put("home", process.home())
                .put("started", process.startedMillis())
                .put("sessionTimeout", record.sessionTimeoutMillis())
                .put("voidUpTo", record.voidUpTo().stream().boxed().findFirst())
                .put("waitingFor", record.waitingFor())
                .put("properties", Fields.of(record.properties())));
        if (bytes.length > Payload.LIMIT) {
            throw new TooLarge(
                    "The record of this instance takes " + bytes.length + " bytes, but the store accepts only "
                            + Payload.LIMIT + "; the largest properties are " + largest(record.properties())
                            + ". Offer smaller ones.");
        }
        return bytes;
    }

    public MemberRecord read(byte[] bytes) throws Unreadable {
        return payload.read(
                bytes,
                fields -> new MemberRecord(
                        fields.text("instanceId"),
                        new ProcessInfo(
                                fields.text("runtimeId"),
                                fields.text("host"),
                                fields.number("pid"),
                                fields.text("home"),
                                fields.number("started")),
                        Plausibility.sessionTimeout(fields),
                        fields.findNumber("voidUpTo").map(OptionalLong::of).orElse(OptionalLong.empty()),
                        fields.find("waitingFor"),
                        fields.map("properties"),
                        fields.integer(Formats.FIELD)));
    }

    private static String largest(Map<String, String> properties) {
        return properties.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, String> property) ->
                        -property.getValue().length()))
                .limit(NAMED_PROPERTIES)
                .map(property -> property.getKey() + " (" + property.getValue().length() + " characters)")
                .collect(Collectors.joining(", "));
    }
}
