// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.model.ProcessInfo;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The identity of an instance.
 *
 * @param instanceId the same after each restart; letters, digits, {@code .}, {@code _} and {@code -}, at most 200 characters
 * @param process the process of this run
 * @param predecessor the runtime id of a predecessor that is proven to have ended, so that its nodes can be removed immediately;
 *     empty when there is no proof
 */
public record InstanceIdentity(String instanceId, ProcessInfo process, Optional<String> predecessor) {

    /**
     * Checks the id.
     *
     * @throws IllegalArgumentException when it has other characters or is too long or empty
     */
    public InstanceIdentity {
        Objects.requireNonNull(process, "process");
        Objects.requireNonNull(predecessor, "predecessor");
        if (!ForeignText.isId(instanceId)) {
            throw new IllegalArgumentException("instance id \"" + instanceId
                    + "\" is not usable: give 1 to 200 letters, digits, dots, underscores or hyphens");
        }
    }

    /** Makes an identity without a known predecessor. */
    public InstanceIdentity(String instanceId, ProcessInfo process) {
        this(instanceId, process, Optional.empty());
    }

    /** Returns the identity of an instance with that id in this process, started now. */
    public static InstanceIdentity ofThisProcess(String instanceId, Time time) {
        return new InstanceIdentity(
                instanceId,
                new ProcessInfo(
                        UUID.randomUUID().toString(),
                        host(),
                        ProcessHandle.current().pid(),
                        Path.of("").toAbsolutePath().toString(),
                        time.wall().getAsLong()));
    }

    /** Returns this identity with a predecessor that is proven to have ended. */
    public InstanceIdentity after(String runtimeId) {
        return new InstanceIdentity(instanceId, process, Optional.of(runtimeId));
    }

    /** Returns the name of this machine, or a text with a blank if it has none that can be resolved. */
    public static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // In a container the name of the machine need not be known to a name service yet.
            return Optional.ofNullable(System.getenv("HOSTNAME")).orElse("unknown host");
        }
    }
}
