// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;

/**
 * A suspicion in the store: one member claims that the process of another one has ended. It ends with the session of the accuser.
 *
 * @param node the member node of the accused
 * @param by the member node of the accuser
 */
public record Suspicion(String node, String by) {

    public Suspicion {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(by, "by");
    }
}
