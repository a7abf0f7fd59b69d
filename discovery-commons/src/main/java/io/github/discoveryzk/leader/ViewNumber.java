// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.leader;

import java.util.Objects;
import java.util.OptionalLong;
import org.apache.sling.discovery.TopologyView;

/**
 * The number of the view of the local cluster that a topology view was made from. Two instances that hold views of one
 * cluster with the same number hold the same members in the same order with the same leader.
 */
public final class ViewNumber {

    private ViewNumber() {}

    /**
     * Returns the number of a view.
     *
     * @param view any topology view, never null
     * @return the number, or empty when the view was not made by this implementation or before the first view was settled
     */
    public static OptionalLong of(TopologyView view) {
        Objects.requireNonNull(view, "view");
        return view instanceof Numbered numbered ? numbered.number() : OptionalLong.empty();
    }

    /** A view that knows its number. Implemented by the discovery service. */
    public interface Numbered {

        /** Returns the number, or empty before the first view was settled. */
        OptionalLong number();
    }
}
