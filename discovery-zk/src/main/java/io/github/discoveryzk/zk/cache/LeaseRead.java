// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a lease probe has read.
 *
 * @param leaseProbe the probe
 * @param leaseVersion the version of the lease node that the probe rests on
 * @param problems one sentence for each node that does not belong where it was read
 */
public record LeaseRead(LeaseProbe leaseProbe, int leaseVersion, List<String> problems) {
    LeaseRead without(Set<LeaveRecord> heard) {
        Set<LeaveRecord> left = new HashSet<>(leaseProbe.leaveRecords());
        left.removeAll(heard);
        return new LeaseRead(leaseProbe.withLeaveRecords(left), leaseVersion, problems);
    }
}
