// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an instance writes about itself in its member node. Only the instance itself ever rewrites it.
 *
 * @param instanceId the id of the instance; at most one live member of a view has it
 * @param process where the instance runs
 * @param sessionTimeoutMillis the timeout that the store granted to the session of the instance
 * @param invalidatedUpTo the number of the latest view that this member invalidates, where that does not follow from the members:
 *     because an acknowledgement cannot be withdrawn, or because the store shows an older view than this member remembers. A
 *     view with this number or a lower one is invalidated for all members
 * @param waitingFor the listeners of this instance that have not returned from CHANGING for a long time, in words
 * @param properties the properties offered by the property providers of the instance
 * @param format the format in which the record is written
 */
public record MemberRecord(
        String instanceId,
        ProcessInfo process,
        int sessionTimeoutMillis,
        OptionalLong invalidatedUpTo,
        Optional<String> waitingFor,
        Map<String, String> properties,
        int format) {

    public MemberRecord {
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(process, "process");
        Objects.requireNonNull(invalidatedUpTo, "invalidatedUpTo");
        Objects.requireNonNull(waitingFor, "waitingFor");
        properties = Map.copyOf(properties);
    }

    /** Returns a record as a newcomer writes it, in the oldest format: it invalidates no view and waits for no listener. */
    public static MemberRecord of(String instanceId, ProcessInfo process, Map<String, String> properties) {
        int oldest = FormatRange.CURRENT.oldest();
        return new MemberRecord(instanceId, process, 0, OptionalLong.empty(), Optional.empty(), properties, oldest);
    }

    /** Returns this record in another format. */
    public MemberRecord withFormat(int other) {
        return new MemberRecord(
                instanceId, process, sessionTimeoutMillis, invalidatedUpTo, waitingFor, properties, other);
    }

    /** Returns this record with other data of the process. */
    public MemberRecord withProcess(ProcessInfo other) {
        return new MemberRecord(
                instanceId, other, sessionTimeoutMillis, invalidatedUpTo, waitingFor, properties, format);
    }

    /** Returns this record with other properties. */
    public MemberRecord withProperties(Map<String, String> others) {
        return new MemberRecord(instanceId, process, sessionTimeoutMillis, invalidatedUpTo, waitingFor, others, format);
    }

    /** Returns this record with another session timeout, in milliseconds. */
    public MemberRecord withSessionTimeout(int millis) {
        return new MemberRecord(instanceId, process, millis, invalidatedUpTo, waitingFor, properties, format);
    }

    /** Returns this record with the two fields that the settling protocol writes. */
    public MemberRecord withProtocolFields(OptionalLong nowInvalidatedUpTo, Optional<String> nowWaitingFor) {
        return new MemberRecord(
                instanceId, process, sessionTimeoutMillis, nowInvalidatedUpTo, nowWaitingFor, properties, format);
    }
}
