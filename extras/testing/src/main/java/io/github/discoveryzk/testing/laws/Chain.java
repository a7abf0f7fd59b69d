// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The views that were published so far. Immutable.
 *
 * @param views all views ever published, by number
 * @param newestNumber the number of the view that the store shows, 0 when it shows none
 * @param highestNumber the highest number ever published
 * @param highestToken the highest token ever published
 * @param excluded the nodes that were excluded from a view since one was deleted or overwritten
 */
public record Chain(
        Map<Long, View> views, long newestNumber, long highestNumber, long highestToken, Set<String> excluded) {

    public static final Chain EMPTY = new Chain(Map.of(), 0, 0, 0, Set.of());

    /** Returns the chain with another view at its end. */
    Chain with(View view) {
        Map<Long, View> more = new HashMap<>(views);
        more.put(view.number(), view);
        Set<String> out = excluded;
        if (!view.excluded().isEmpty()) {
            out = new HashSet<>(excluded);
            out.addAll(view.excluded());
        }
        return new Chain(
                more, view.number(), Math.max(highestNumber, view.number()), Math.max(highestToken, view.token()), out);
    }

    /** Returns the chain when an older view has replaced the newest one, or, with 0, when the view is lost. */
    public Chain backAt(long number) {
        return new Chain(views, number, highestNumber, highestToken, Set.of());
    }

    /** Returns the view that the store shows, if there is one. */
    public Optional<View> newest() {
        return view(newestNumber);
    }

    public Optional<View> view(long number) {
        return Optional.ofNullable(views.get(number));
    }
}
