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
     * Returns how far the start of this container is: of its instance, which has started once it had a current view, and of the parts that other
     * bundles add. Once it has started that is final. Does no I/O; may be called from any thread, as often as wanted.
     */
    Startup startup();

    /**
     * Returns why this container should not be stopped now, a sentence each; empty if it may be: the view is settled and enough members stay, or
     * the others' view is without this instance, and no part that other bundles add objects. Does no I/O, but may wait up to a second for such a part; may be called from any thread. What is not known yet is a reason, and a later call knows.
     */
    List<String> objections();

    /**
     * Returns the order in which the containers of the local cluster should be restarted, one after the other. While a restart may go on, which
     * the history says, these are those that it has not reached, or all if it has reached all. What has crashed comes first. Does no I/O,
     * but may start a reading of the history, which later calls know; may be called from any thread.
     */
    List<Restart> restartOrder();

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

    /**
     * A step of a restart of all containers. The next step waits until this container is ready again ({@link Startup#isReady}).
     *
     * @param instanceId the instance of the container
     * @param why why it has this place; empty if any other would do
     */
    record Restart(String instanceId, String why) {
        /** Why a container needs no restart: the last restart of all has reached it, and the others too. */
        public static final String DONE = "restarted already";

        /** Why a container that has crashed, or hangs, is first. */
        public static final String GONE = "it is gone: start it again";

        /** Why a container is named that was stopped after the others were restarted. */
        public static final String STOPPED = "it was stopped: start it again, unless it is to stay away";

        /** Says whether the container may be restarted whatever speaks against the next steps. */
        public boolean isGone() {
            return why.equals(GONE) || why.equals(STOPPED);
        }
    }
}
