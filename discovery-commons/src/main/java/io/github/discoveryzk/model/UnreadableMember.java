// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

/**
 * A live member node whose record this instance cannot read: its bytes are broken, access to it is denied, or it has a format
 * that this version does not know. It is a live member with unknown content, not a departed one.
 *
 * @param node the name of the node
 * @param seniority the transaction id of the node's creation; 0 when that cannot be read either
 * @param session the session that owns the node; 0 when that cannot be read either
 * @param formats the formats that the member reads and writes
 * @param why why it cannot be read, in words; completes "the record cannot be read: "
 */
public record UnreadableMember(String node, long seniority, long session, FormatRange formats, String why) {}
