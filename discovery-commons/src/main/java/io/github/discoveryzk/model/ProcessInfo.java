// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;

/**
 * The process an instance runs in. Only {@link #runtimeId} takes part in decisions; its neighbours use {@link #pid}, {@link #machine},
 * {@link #processName} and {@link #endpoint}; the rest is for display.
 *
 * @param runtimeId a new one at each start of the discovery service; it distinguishes two claims to one instance id
 * @param host name of the machine, as the instance knows it
 * @param pid process id on that machine
 * @param home working directory of the process
 * @param startedMillis wall-clock time of the start, in milliseconds since 1970; for display only
 * @param settings how the instance settles changes: words of the form {@code key=value}, separated by blanks; empty if it is not known
 * @param machine identifies the running system with its namespace of process ids; empty if it is not known
 * @param processName names the process on that system for good, by its pid and the time of its start; empty if it is not known
 * @param endpoint where the instance listens for its neighbours: an address, never a name, a colon and a port; empty if it does not
 */
public record ProcessInfo(
        String runtimeId,
        String host,
        long pid,
        String home,
        long startedMillis,
        String settings,
        String machine,
        String processName,
        String endpoint) {

    public ProcessInfo {
        Objects.requireNonNull(runtimeId, "runtimeId");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(processName, "processName");
        Objects.requireNonNull(endpoint, "endpoint");
    }

    /** Creates one without settings, on an unknown machine, that does not listen. */
    public ProcessInfo(String runtimeId, String host, long pid, String home, long startedMillis) {
        this(runtimeId, host, pid, home, startedMillis, "", "", "", "");
    }

    /** Returns the same with other settings. */
    public ProcessInfo withSettings(String others) {
        return new ProcessInfo(runtimeId, host, pid, home, startedMillis, others, machine, processName, endpoint);
    }

    /** Returns the same with another endpoint, machine and name of the process there. */
    public ProcessInfo withEndpoint(String other, String on, String name) {
        return new ProcessInfo(runtimeId, host, pid, home, startedMillis, settings, on, name, other);
    }
}
