// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Objects;

/**
 * The process an instance runs in. Only {@link #runtimeId} takes part in decisions; the rest is for display.
 *
 * @param runtimeId a new one at each start of the discovery service; it distinguishes two claims to one instance id
 * @param host name of the machine, as the instance knows it
 * @param pid process id on that machine
 * @param home working directory of the process
 * @param startedMillis wall-clock time of the start, in milliseconds since 1970; for display only
 * @param settings how the instance settles changes: words of the form {@code key=value}, separated by blanks; empty if it is not known
 */
public record ProcessInfo(String runtimeId, String host, long pid, String home, long startedMillis, String settings) {

    public ProcessInfo {
        Objects.requireNonNull(runtimeId, "runtimeId");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(settings, "settings");
    }

    /** Creates one without settings. */
    public ProcessInfo(String runtimeId, String host, long pid, String home, long startedMillis) {
        this(runtimeId, host, pid, home, startedMillis, "");
    }

    /** Returns the same with other settings. */
    public ProcessInfo withSettings(String others) {
        return new ProcessInfo(runtimeId, host, pid, home, startedMillis, others);
    }
}
