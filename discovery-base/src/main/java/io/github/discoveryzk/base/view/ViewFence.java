// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import io.github.discoveryzk.data.Fence;

/** A fence that holds in the store until the next view is there. */
public interface ViewFence extends Fence {

    /** Returns the number of the view. */
    long viewNumber();

    /** Returns the member node of this instance in that view. */
    String node();
}
