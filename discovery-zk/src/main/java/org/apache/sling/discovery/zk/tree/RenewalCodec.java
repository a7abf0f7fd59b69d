// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import static org.apache.sling.discovery.zk.tree.RequiredFields.required;

import org.apache.sling.discovery.commons.model.Renewal;

/**
 * Encodes and decodes renewals of leases. Every version reads them, whichever formats it knows otherwise: an instance that cannot read the
 * view needs the length of its leader's lease all the more.
 */
public final class RenewalCodec {
    private RenewalCodec() {}

    public static byte[] write(Renewal renewal) {
        return Payload.LASTING.write(new Wire(Formats.LASTING, renewal.node(), renewal.sessionTimeoutMillis()));
    }

    public static Renewal read(byte[] bytes) throws Unreadable {
        Wire wire = Payload.LASTING.read(bytes, Wire.class);
        if (wire.sessionTimeout() == 0 || !Plausibility.isSessionTimeout(wire.sessionTimeout())) {
            throw new Unreadable("it has a session timeout of " + wire.sessionTimeout() + " ms");
        }
        return new Renewal(required(wire.node(), "node"), wire.sessionTimeout());
    }

    private record Wire(int format, String node, int sessionTimeout) implements Payload.Wire {}
}
