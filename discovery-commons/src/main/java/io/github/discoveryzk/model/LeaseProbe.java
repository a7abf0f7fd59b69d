// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The result of one reading of the renewals of leases and of the leave records.
 *
 * @param renewals grows with each renewal of a lease by a leader; two readings of the same number mean that no lease was
 *     renewed in between
 * @param last the last of these renewals; empty when there was none, or when it cannot be read or says nothing because an earlier
 *     version wrote it
 * @param leaveRecords the leave records
 */
public record LeaseProbe(long renewals, Optional<Renewal> last, Set<LeaveRecord> leaveRecords) {

    public LeaseProbe {
        Objects.requireNonNull(last, "last");
        leaveRecords = Set.copyOf(leaveRecords);
    }

    /** Creates a probe that does not know who has renewed. */
    public LeaseProbe(long renewals, Set<LeaveRecord> leaveRecords) {
        this(renewals, Optional.empty(), leaveRecords);
    }

    /** Returns this probe with other leave records. */
    public LeaseProbe withLeaveRecords(Set<LeaveRecord> others) {
        return new LeaseProbe(renewals, last, others);
    }

    /** Returns the probe after one more renewal. */
    public LeaseProbe renewed(Renewal renewal) {
        return new LeaseProbe(renewals + 1, Optional.of(renewal), leaveRecords);
    }

    /** Returns the leave record of that member; empty when its session ended. */
    public Optional<LeaveRecord> of(String node) {
        return leaveRecords.stream().filter(one -> one.node().equals(node)).findFirst();
    }
}
