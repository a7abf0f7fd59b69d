// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.OptionalLong;

/**
 * The session with the store.
 *
 * @param session its id, as the store writes it (hexadecimal)
 * @param timeoutMillis the timeout granted to it
 * @param usable whether the store can be reached now
 * @param roundTripMillis how long the last reply took, empty before the first
 * @param heardMillis when the last completed request was made, empty before the first
 */
public record StoreConnection(
        String session, int timeoutMillis, boolean usable, OptionalLong roundTripMillis, OptionalLong heardMillis) {}
