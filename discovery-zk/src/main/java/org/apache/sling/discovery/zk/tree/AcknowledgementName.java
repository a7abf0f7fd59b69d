// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Optional;
import org.apache.sling.discovery.commons.model.Acknowledgement;

/** The name of an acknowledgement's node. It has the whole content, so that no instance needs to read the node. */
public final class AcknowledgementName {
    private AcknowledgementName() {}

    public static String of(Acknowledgement ack) {
        return ack.number() + suffix(ack.node());
    }

    /** Returns the end of the names of all acknowledgements of a member node. */
    public static String suffix(String node) {
        return "." + node;
    }

    /** Parses a name; empty when it is not the name of an acknowledgement. */
    public static Optional<Acknowledgement> parse(String name) {
        int dot = name.indexOf('.');
        if (dot < 1 || !MemberName.isValid(name.substring(dot + 1))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Acknowledgement(name.substring(dot + 1), Long.parseLong(name.substring(0, dot))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
