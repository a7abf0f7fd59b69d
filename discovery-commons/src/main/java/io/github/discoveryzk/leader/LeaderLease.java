// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.leader;

import io.github.discoveryzk.data.Fence;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.sling.discovery.TopologyView;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The local instance leads its cluster, until this lease is over. A lease begins with the event INIT or CHANGED whose view has
 * the local instance as its leader, and ends for good when the store has not replied for too long or a change begins,
 * whichever is first; at the latest before any listener receives CHANGING. PROPERTIES_CHANGED does not end it. When the same
 * instance leads after CHANGED there is a new lease with the same token.
 *
 * <p>In a container a lease is also an OSGi service of this type, registered as long as the local instance is the settled
 * leader, with the service properties {@link #TOKEN} and {@link #VIEW}. It is unregistered before the cluster leaves CHANGING:
 * each component with a mandatory reference to it is deactivated before any other instance can begin to lead, unless it takes
 * longer than the settle timeout.
 *
 * <p><b>What is not promised.</b> That {@link #isHeld} was true, or {@link #check} returned, says nothing about the next
 * instruction: the process may be paused there for an hour, and a write that was sent may arrive when another instance has been
 * leading for a long time. No lease can prevent that. Therefore send {@link #token} along with each write, and let the target
 * of the write remember the greatest token it has seen and refuse any lower one. Checking the lease first saves work; refusing
 * stale tokens protects data. Shared data of discovery does so: a lease is a {@link Fence}, and a write with it has no effect once the next
 * view is in the store.
 *
 * <p>All methods may be called from any thread, as often as wanted; they do no I/O and take no lock.
 */
@ProviderType
public interface LeaderLease extends Fence {

    /** The service property that holds the token, a {@link Long}. */
    String TOKEN = "token";

    /** The service property that holds the number of the view that is led, a {@link Long}. */
    String VIEW = "view";

    /**
     * Returns the lease under which the local instance leads a view.
     *
     * @param view any topology view, never null
     * @return the lease, held or over; empty when another instance leads the view, when the view was not made by this
     *     implementation, or when it is that of the time before INIT
     */
    static Optional<LeaderLease> of(TopologyView view) {
        Objects.requireNonNull(view, "view");
        return view instanceof Leased leased ? leased.lease() : Optional.empty();
    }

    /**
     * Returns the fencing token of the leadership: the same in all leases of one leadership, and greater than that of each
     * earlier leadership of the cluster.
     */
    @Override
    long token();

    /**
     * Says whether the lease is held at this moment, by the monotonic clock at each call. Once false, it is never true again.
     */
    @Override
    boolean isHeld();

    /**
     * Returns for how long the lease is held if the store does not reply again, in milliseconds precision.
     *
     * @return the time that remains; zero when the lease is over, never negative
     */
    Duration remaining();

    /**
     * Throws unless the lease is held at this moment. To be called before each piece of work for the cluster.
     *
     * @throws NotLeaderException when the lease is over
     */
    default void check() {
        if (!isHeld()) {
            throw new NotLeaderException(token());
        }
    }

    /** A view that knows its lease. Implemented by the discovery service. */
    @ProviderType
    interface Leased {

        /** Returns the lease, or empty when the local instance does not lead the view. */
        Optional<LeaderLease> lease();
    }
}
