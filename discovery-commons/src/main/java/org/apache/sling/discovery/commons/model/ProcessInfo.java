// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Objects;

/**
 * The process an instance runs in, told so that people can find it. Nothing but {@link #runtimeId} takes part in a decision.
 *
 * @param runtimeId made anew at each start of the discovery service; two claims to one instance id are told apart by it
 * @param host name of the machine, as the instance knows it
 * @param pid process id on that machine
 * @param home working directory of the process
 * @param startedMillis wall-clock time of the start, in milliseconds since 1970; for display only
 */
public record ProcessInfo(String runtimeId, String host, long pid, String home, long startedMillis) {

    public ProcessInfo {
        Objects.requireNonNull(runtimeId, "runtimeId");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(home, "home");
    }
}
