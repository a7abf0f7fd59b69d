// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.data.Registration;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.report.ConnectorReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;

/**
 * The instance of this container as its connectors and other parts see it; a service as long as the instance exists. At most one set of connectors is
 * attached at a time: what others share or show has no effect. All methods may be called from any thread and do not block.
 */
public interface LocalInstance {

    /** Returns the id of this instance. */
    String instanceId();

    /** Returns the name of its machine. */
    String host();

    /** Returns the present stay of this instance in its cluster; empty while it has no member node. */
    Optional<Stay> stay();

    /** Returns the last view. */
    TopologyView topology();

    /** Returns the ids of the members of the local cluster whose nodes are in the store; empty if that is not known. */
    Optional<Set<String>> liveMembers();

    /** Returns what runs calls that may take long. */
    Executor calls();

    /** Returns the thread of decisions, for tasks that take no time; it takes none after the instance has ended. */
    ScheduledExecutorService decisions();

    /**
     * Adds a listener for which changes of other clusters are no changes.
     *
     * @param name called each time the name is shown, on any thread; it must not block
     */
    void addOwnClusterListener(TopologyEventListener listener, Supplier<String> name);

    /** Removes a listener; no call to it starts after this returned. */
    void removeListener(TopologyEventListener listener);

    /**
     * Adds what is to be done before this instance steps down.
     *
     * @param preparation called on the thread of the operator, it must not block; what it returns is waited for, five seconds at most
     */
    Registration beforeStepDown(Supplier<CompletableFuture<Void>> preparation);

    /** Attaches connectors in place of those before. They observe what the board has now, and each change of it. */
    void attach(Connectors connectors);

    /**
     * Detaches connectors: they are not called from now on. What they shared and showed ends a while later, because the instance may be about
     * to leave.
     */
    void detach(Connectors connectors);

    /** Sets what attached connectors share with the other instances, as {@link AnnouncementBoard#share} says. */
    void share(Connectors by, Map<String, Bytes> contents);

    /** Sets the clusters of attached connectors, in the order of precedence. Those of the store precede them. */
    void show(Connectors by, List<RemoteCluster> clusters);

    /**
     * A stay in the cluster.
     *
     * @param node the member node, which never returns once it has gone
     * @param heldMillis for how many milliseconds from now the last reply of the store proves that the others count this instance as a member;
     *     0 or less if it no longer does, or if this instance is about to remove the node because it stops or steps down
     */
    record Stay(String node, long heldMillis) {}

    /** The connectors of an instance. Methods may be called from any thread; they neither block nor throw. */
    interface Connectors extends AnnouncementBoard.Observer {

        /** Returns their state. */
        ConnectorReport report();

        /** Returns what is wrong with their configuration or the clusters that they show, one sentence each. */
        default List<String> problems() {
            return List.of();
        }

        /** Records that the instance begins to leave its cluster. What it shares stays as it is until its session ends. */
        default void leave() {}

        /**
         * Ends them because the instance leaves its cluster.
         *
         * @return completes when the peers know, or two seconds have passed
         */
        default CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
