// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Handles keys of a set. A key has one owner among all members whose workers offer it; it moves only when its owner has ended it, or has left
 * the cluster. In a container this is a service with the properties {@link #SET} and {@link #KEYS}.
 *
 * <p>Calls come on threads of the instance that may wait. Those for one key come one after the other, those for different keys side by side.
 */
@ConsumerType
public interface Worker {

    /** The service property with the name of the set, a {@link String}. */
    String SET = "discovery.work";

    /** The service property with the keys that this worker can handle, one or many texts; it may change at any time. */
    String KEYS = "discovery.work.keys";

    /**
     * Begins to handle a key, and returns soon; the work runs on threads of the worker. What an earlier owner has stored with its ownership is what a
     * {@code read} of shared data returns from now on.
     *
     * @throws Exception gives the key back: it goes to another member, and is not offered here for 5 seconds, doubled each time up to 5 minutes
     */
    void begin(Ownership ownership) throws Exception;

    /**
     * Ends it, and returns when the work has stopped. Only then another member is given the key, so there is no limit of time; after 5 seconds page,
     * health and log name it. The ownership is over already. An exception counts as a return.
     */
    void end(Ownership ownership) throws Exception;
}
