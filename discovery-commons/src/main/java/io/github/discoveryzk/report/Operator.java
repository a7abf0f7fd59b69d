// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The actions of an operator on the cluster. Offered as an OSGi service by the discovery bundle, for consoles and shells. The
 * history of views records each action and the instance that carried it out. The methods return immediately, and say what happens
 * now or why nothing does; they may be called from any thread.
 */
@ProviderType
public interface Operator {

    /** Makes this instance give up its seniority, and the lead if it has it; it rejoins at the end. */
    Result stepDown();

    /**
     * Removes another instance from the cluster: one that hangs, or the node of a dead process whose session still lives. If
     * its process lives, it rejoins at the end of the order. If it was the leader, the next leader is not current before its
     * lease is over. An instance that is gone already is removed from what this instance reports as missing.
     *
     * @param instanceIdOrNode its instance id, or the name of its member node where two have one id
     */
    Result evict(String instanceIdOrNode);

    /**
     * Makes an instance the leader: its seniors give up their seniority one after the other, the leader last, so that the leadership
     * moves once. This instance steps down when it is its turn, and evicts the others. The plan ends when the instance leads, or leaves
     * the view. A repeated call says who is still senior to it.
     *
     * @param instanceIdOrNode its instance id, or the name of its member node
     */
    Result lead(String instanceIdOrNode);

    /**
     * What became of an action.
     *
     * @param success whether the action has been started; false if nothing happens
     * @param sentence what happens now, or why nothing does, for display
     */
    record Result(boolean success, String sentence) {}
}
