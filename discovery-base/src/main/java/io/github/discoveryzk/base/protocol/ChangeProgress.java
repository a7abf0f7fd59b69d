// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import java.util.List;
import java.util.OptionalLong;

/**
 * The progress of one change: how view {@code number} is being replaced. A new established view or a lost connection starts a
 * new progress. Times are monotonic milliseconds.
 *
 * @param number the number of the view to be replaced, 0 when there is none
 * @param since when this instance first saw that the view is invalidated
 * @param candidates the nodes that would be the members of the next view
 * @param candidatesSince since when the candidates have been the same
 * @param leaseProbedBefore when the last lease probe before that was started
 * @param readySince since when the publication has waited for the step-in delay of this instance only
 */
public record ChangeProgress(
        long number,
        long since,
        List<String> candidates,
        long candidatesSince,
        long leaseProbedBefore,
        OptionalLong readySince) {

    static ChangeProgress starting(long number, long now) {
        return new ChangeProgress(number, now, List.of(), now, Long.MIN_VALUE, OptionalLong.empty());
    }

    /**
     * Returns the progress with the candidates of the next view.
     *
     * @param leaseProbed when the last lease probe was started
     */
    ChangeProgress withCandidates(List<String> nodes, long leaseProbed, long now) {
        return nodes.equals(candidates)
                ? this
                : new ChangeProgress(number, since, List.copyOf(nodes), now, leaseProbed, OptionalLong.empty());
    }

    /** Says whether a lease probe was started after the last change of the candidates, even within the same millisecond. */
    boolean isLeaseProbed(long leaseProbed) {
        return leaseProbed >= candidatesSince && leaseProbed > leaseProbedBefore;
    }

    ChangeProgress withReadiness(boolean ready, long now) {
        OptionalLong start = ready ? OptionalLong.of(readySince.orElse(now)) : OptionalLong.empty();
        return new ChangeProgress(number, since, candidates, candidatesSince, leaseProbedBefore, start);
    }
}
