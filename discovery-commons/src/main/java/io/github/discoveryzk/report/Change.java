// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.Reason;
import java.util.List;

/**
 * The change that is going on. The states of the instances tell which of them it concerns, the status of the reporting instance
 * what comes next.
 *
 * @param cause why the last view is no longer current, or why there is none yet
 * @param sinceMillis when this instance noticed it, in wall-clock milliseconds since 1970
 */
public record Change(List<Reason> cause, long sinceMillis) {

    public Change {
        cause = List.copyOf(cause);
    }

    /**
     * The last change that this instance has settled. Times are wall-clock milliseconds since 1970.
     *
     * @param number the number of the view that followed
     * @param cause what changed
     * @param sinceMillis when this instance noticed the change, or was started
     * @param settledMillis when this instance notified its listeners of the view that followed
     */
    public record Settled(long number, List<Reason> cause, long sinceMillis, long settledMillis) {

        /** Returns how long this instance had not been settled, in milliseconds. */
        public long tookMillis() {
            return Math.max(0, settledMillis - sinceMillis);
        }
    }
}
