// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Optional;

/**
 * What the store holds where the established view is recorded.
 *
 * @param version changes with each write; a publication names the version it has read and fails when the version has changed
 * @param stamp the transaction id of the last write there; not smaller than any view number published before it,
 *     because each publication is a transaction and raises the number by one
 * @param recorded the highest view number in the history as far as it is known, else 0; above the number of the view only when
 *     the view was restored from an older state or written by another program
 * @param view the established view; empty when none was published yet or it cannot be read
 */
public record ViewSlot(int version, long stamp, long recorded, Optional<EstablishedView> view) {

    /** Returns the number that the next view must have. */
    public long nextNumber() {
        return Math.max(recorded, view.map(EstablishedView::number).orElse(stamp)) + 1;
    }
}
