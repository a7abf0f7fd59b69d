// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import org.apache.sling.discovery.commons.model.Renewal;

/**
 * Encodes and decodes renewals of leases. Every version reads them, whichever formats it knows otherwise: an instance that cannot read the
 * view needs the length of its leader's lease all the more.
 */
public final class RenewalCodec {
    private RenewalCodec() {}

    public static byte[] write(Renewal renewal) {
        return Payload.LASTING.write(
                Payload.lasting().put("node", renewal.node()).put("sessionTimeout", renewal.sessionTimeoutMillis()));
    }

    public static Renewal read(byte[] bytes) throws Unreadable {
        return Payload.LASTING.read(
                bytes, fields -> new Renewal(fields.text("node"), Plausibility.sessionTimeout(fields)));
    }
}
