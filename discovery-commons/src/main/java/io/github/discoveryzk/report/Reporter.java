// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Reports the state of discovery, and repairs access rights. Offered as an OSGi service by the discovery bundle, for consoles and shells. */
@ProviderType
public interface Reporter {

    /**
     * Returns the present state. Does no I/O; may be called from any thread, as often as wanted. During a
     * change a call may start a reading of acknowledgements, which later reports show.
     */
    TopologyReport report();

    /**
     * Returns the metrics of this instance with their present values, always the same ones in the same order. Does no I/O; may be
     * called from any thread, as often as wanted.
     */
    List<Metric> metrics();

    /**
     * Reads the entries of the history that are not known yet; reads nothing if no view has been published since the last time.
     * May be called from any thread.
     *
     * @return completes when reports show the history up to the present view, or why it cannot be read; never exceptionally
     */
    CompletionStage<Void> readHistory();

    /**
     * Reads the nodes of the store. May be called from any thread; calls at the same time share one reading.
     *
     * @return completes with what was read; exceptionally, with a message for display, when the store cannot be read
     */
    CompletionStage<StoreTree> readTree();

    /**
     * Compares the access rights of all nodes of the store with the configured ones. May be called from any thread. A repair may be
     * repeated, and run on several instances at the same time; it does not disturb a cluster all of whose instances have the rights.
     *
     * @param repair whether nodes with other rights get the configured ones
     * @return completes with what was found; exceptionally, with a message for display, when the store cannot be read
     */
    CompletionStage<StoreAccess> checkAccess(boolean repair);
}
