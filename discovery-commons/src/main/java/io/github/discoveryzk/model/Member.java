// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

/**
 * A live member node as the store shows it.
 *
 * @param node the name of the node
 * @param seniority the transaction id of the node's creation: the smaller, the more senior; never the suffix of the name, which
 *     wraps after 2^31 creations
 * @param createdMillis wall-clock time of the node's creation by the clock of the store; for display only
 * @param session the session that owns the node; the node ends with it
 * @param formats the formats that the member reads and writes
 * @param record what the instance writes about itself
 */
public record Member(
        String node, long seniority, long createdMillis, long session, FormatRange formats, MemberRecord record) {

    /** Creates a member of this version. */
    public Member(String node, long seniority, long createdMillis, long session, MemberRecord record) {
        this(node, seniority, createdMillis, session, FormatRange.CURRENT, record);
    }

    /** Returns this member with another record. */
    public Member withRecord(MemberRecord other) {
        return new Member(node, seniority, createdMillis, session, formats, other);
    }

    public String instanceId() {
        return record.instanceId();
    }

    public Incarnation incarnation() {
        return new Incarnation(node, record.instanceId());
    }

    /** Says whether the process with that runtime id created this node, in any session. */
    public boolean isOf(String runtimeId) {
        return record.process().runtimeId().equals(runtimeId);
    }
}
