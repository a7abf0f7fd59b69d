// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an instance publishes of itself in its member node. Only the instance itself ever rewrites it.
 *
 * @param instanceId the id of the instance; at most one live member of a view has it
 * @param process where the instance runs
 * @param sessionTimeoutMillis the timeout that the store granted to the session of the instance
 * @param abandoned the number of the latest view that this member has left behind for good, where that is not plain from the
 *     members: because an acknowledgement cannot be taken back, or because the store shows an older view than this member
 *     remembers. A view with this number or a lower one is void for everybody
 * @param waitingFor the listeners of this instance that have not returned from CHANGING for a long time, in words
 * @param properties the properties offered by the property providers of the instance
 */
public record MemberRecord(
        String instanceId,
        ProcessInfo process,
        int sessionTimeoutMillis,
        OptionalLong abandoned,
        Optional<String> waitingFor,
        Map<String, String> properties) {

    public MemberRecord {
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(process, "process");
        Objects.requireNonNull(abandoned, "abandoned");
        Objects.requireNonNull(waitingFor, "waitingFor");
        properties = Map.copyOf(properties);
    }

    /** Returns a record as a newcomer writes it: nothing abandoned, waiting for nobody. */
    public static MemberRecord of(String instanceId, ProcessInfo process, Map<String, String> properties) {
        return new MemberRecord(instanceId, process, 0, OptionalLong.empty(), Optional.empty(), properties);
    }

    /** Returns this record with another session timeout, in milliseconds. */
    public MemberRecord withSessionTimeout(int millis) {
        return new MemberRecord(instanceId, process, millis, abandoned, waitingFor, properties);
    }

    /** Returns this record with the two fields that the settling protocol writes. */
    public MemberRecord withProtocolFields(OptionalLong nowAbandoned, Optional<String> nowWaitingFor) {
        return new MemberRecord(instanceId, process, sessionTimeoutMillis, nowAbandoned, nowWaitingFor, properties);
    }
}
