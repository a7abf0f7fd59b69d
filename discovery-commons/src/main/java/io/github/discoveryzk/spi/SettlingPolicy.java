// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import java.util.Objects;

/**
 * How long the settling of a change waits, and for what. All times are monotonic milliseconds.
 *
 * @param settleTimeoutMillis how long a live member may take to acknowledge before it is excluded; never used below the longest
 *     session timeout of the members, because only after that time is an unresponsive member sure to have noticed the change or
 *     to have lost its lease
 * @param quietMillis how long the membership must have been unchanged before the next view is published; 0 for immediately
 * @param regroupMillis how long the first instances that are back after most sessions of a view have ended, as in an outage, wait for the
 *     other members of that view before they publish the next one; 0 for not at all
 * @param stepInMillis how much later each next member in the order does the coordinator's work if the ones before it do not
 * @param suspended what a lost connection means while the session may live on
 * @param quarantine what happens to an instance that repeatedly loses its seniority
 * @param minInstances how many members the first view has at least on which this instance acts; any view has one
 * @param leaseMillis the time by which its lease is counted where its session timeout is longer, for connections established later
 */
public record SettlingPolicy(
        long settleTimeoutMillis,
        long quietMillis,
        long regroupMillis,
        long stepInMillis,
        SuspendedPolicy suspended,
        Quarantine quarantine,
        int minInstances,
        int leaseMillis) {

    /**
     * Clients that wait for a server try again within a second, so most of them are back within two. Members that come later cause one more
     * change, as they would without a wait. A longer wait delays the view of all for members that may never come.
     */
    private static final long REGROUP_MILLIS = 2_000;

    /**
     * Settle timeout 30 s, no quiet period, 2 s for regrouping, the next coordinator steps in after a second, suspended until the lease
     * ends.
     */
    public static final SettlingPolicy DEFAULT =
            new SettlingPolicy(30_000, 0, REGROUP_MILLIS, 1_000, SuspendedPolicy.LEASE, Quarantine.DEFAULT, 1, 600_000);

    public SettlingPolicy {
        Objects.requireNonNull(suspended, "suspended");
        Objects.requireNonNull(quarantine, "quarantine");
        if (settleTimeoutMillis <= 0 || leaseMillis <= 0 || quietMillis < 0 || regroupMillis < 0 || stepInMillis <= 0) {
            throw new IllegalArgumentException(
                    "settle timeout, lease and step-in must be positive, quiet period and regrouping not negative: "
                            + settleTimeoutMillis + ", " + leaseMillis + ", " + stepInMillis + ", " + quietMillis + ", "
                            + regroupMillis);
        }
    }

    /** Creates a policy with the default quarantine, without a time for regrouping. */
    public SettlingPolicy(long settleTimeoutMillis, long quietMillis, long stepInMillis, SuspendedPolicy suspended) {
        this(settleTimeoutMillis, quietMillis, 0, stepInMillis, suspended, Quarantine.DEFAULT, 1, 600_000);
    }

    /** Returns the same policy with another least number of members in the first view on which this instance acts. */
    public SettlingPolicy withMinInstances(int min) {
        return new SettlingPolicy(
                settleTimeoutMillis, quietMillis, regroupMillis, stepInMillis, suspended, quarantine, min, leaseMillis);
    }

    /** Returns what all members of a cluster should have in common, as a member record has it. */
    public String settings() {
        return "settleTimeoutMillis=" + settleTimeoutMillis + " quietMillis=" + quietMillis + " suspendedPolicy="
                + suspended + " quarantineLosses=" + quarantine.tolerated();
    }

    /**
     * Keeps an instance from disturbing the others if it repeatedly loses its seniority: because its session ends,
     * or because it is excluded or removed. Each such loss costs every other member a change of view.
     *
     * @param tolerated how many losses within the window have no consequence
     * @param windowMillis for how long a loss counts
     * @param firstRestMillis how long the instance waits before it announces itself after the first loss that is not tolerated;
     *     doubles with each further one
     * @param longestRestMillis how long it waits at most
     */
    public record Quarantine(int tolerated, long windowMillis, long firstRestMillis, long longestRestMillis) {

        /** Five losses within five minutes are tolerated, then 10 s, doubling up to two minutes. */
        public static final Quarantine DEFAULT = after(5);

        public Quarantine {
            if (tolerated < 0 || windowMillis <= 0 || firstRestMillis <= 0 || longestRestMillis < firstRestMillis) {
                throw new IllegalArgumentException("quarantine after " + tolerated + " losses in " + windowMillis
                        + " ms, for " + firstRestMillis + " to " + longestRestMillis + " ms");
            }
        }

        /**
         * Returns a quarantine after more than that many losses. The times have no option, because only their order of magnitude matters:
         * five minutes hold the losses of one incident, 10 s outlast a pause of the process, and an instance that is well again is missing
         * for at most two minutes.
         */
        public static Quarantine after(int tolerated) {
            return new Quarantine(tolerated, 300_000, 10_000, 120_000);
        }

        /**
         * Returns how long an instance with that number of losses within the window waits after the last one; 0 for not at all.
         */
        public long restMillis(int losses) {
            int excess = losses - tolerated;
            double doubled = firstRestMillis * Math.pow(2, excess - 1);
            return excess <= 0 ? 0 : (long) Math.min((double) longestRestMillis, doubled);
        }
    }

    /** What a lost connection means while the session may live on. */
    public enum SuspendedPolicy {
        /** Nothing, until the lease ends. */
        LEASE,
        /** The view ceases to be current immediately. */
        STRICT
    }
}
