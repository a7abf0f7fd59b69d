// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import static org.apache.sling.discovery.zk.tree.RequiredFields.required;
import static org.apache.sling.discovery.zk.tree.RequiredFields.requiredAll;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
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
        byte[] bytes = payload.write(new Wire(
                record.format(),
                record.instanceId(),
                process.runtimeId(),
                process.host(),
                process.pid(),
                process.home(),
                process.startedMillis(),
                record.sessionTimeoutMillis(),
                record.voidUpTo().isPresent() ? record.voidUpTo().getAsLong() : null,
                record.waitingFor().orElse(null),
                record.properties()));
        if (bytes.length > Payload.LIMIT) {
            throw new TooLarge(
                    "The record of this instance takes " + bytes.length + " bytes, but the store accepts only "
                            + Payload.LIMIT + "; the largest properties are " + largest(record.properties())
                            + ". Offer smaller ones.");
        }
        return bytes;
    }

    public MemberRecord read(byte[] bytes) throws Unreadable {
        Wire wire = payload.read(bytes, Wire.class);
        if (!Plausibility.isSessionTimeout(wire.sessionTimeout())) {
            throw new Unreadable("it has a session timeout of " + wire.sessionTimeout() + " ms");
        }
        Map<String, String> properties = wire.properties() == null ? Map.of() : wire.properties();
        requiredAll(properties.values(), "properties");
        return new MemberRecord(
                required(wire.instanceId(), "instanceId"),
                new ProcessInfo(
                        required(wire.runtimeId(), "runtimeId"),
                        required(wire.host(), "host"),
                        wire.pid(),
                        required(wire.home(), "home"),
                        wire.started()),
                wire.sessionTimeout(),
                wire.voidUpTo() == null ? OptionalLong.empty() : OptionalLong.of(wire.voidUpTo()),
                Optional.ofNullable(wire.waitingFor()),
                properties,
                wire.format());
    }

    private static String largest(Map<String, String> properties) {
        return properties.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, String> property) ->
                        -property.getValue().length()))
                .limit(NAMED_PROPERTIES)
                .map(property -> property.getKey() + " (" + property.getValue().length() + " characters)")
                .collect(Collectors.joining(", "));
    }

    private record Wire(
            int format,
            String instanceId,
            String runtimeId,
            String host,
            long pid,
            String home,
            long started,
            int sessionTimeout,
            Long voidUpTo,
            String waitingFor,
            Map<String, String> properties)
            implements Payload.Wire {}
}
