// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

/**
 * Informs a {@link TopologyEventListener} of a change. Never changes, safe for use by any thread. Equal only to itself.
 *
 * <table>
 *   <caption>Which views an event has</caption>
 *   <tr><th>type</th><th>old view</th><th>new view</th></tr>
 *   <tr><td>{@link Type#TOPOLOGY_INIT}</td><td>null</td><td>yes</td></tr>
 *   <tr><td>{@link Type#TOPOLOGY_CHANGING}</td><td>yes</td><td>null</td></tr>
 *   <tr><td>{@link Type#TOPOLOGY_CHANGED}</td><td>yes</td><td>yes</td></tr>
 *   <tr><td>{@link Type#PROPERTIES_CHANGED}</td><td>yes</td><td>yes</td></tr>
 * </table>
 *
 * <p>An old view is never {@linkplain TopologyView#isCurrent() current}. A new view is current when the event is made, and may
 * no longer be current by the time a listener receives the event.
 */
public class TopologyEvent {

    /**
     * What has happened. Types may be added; ignore unknown ones. See {@link TopologyEventListener} for their order.
     */
    public enum Type {

        /** The first event of each listener, sent once only: the topology is settled, and this is the view. */
        TOPOLOGY_INIT,

        /**
         * A change has been noticed and is being settled. Until the next event nothing may be assumed about the topology,
         * neither which instance leads nor that this instance still takes part. Never twice in a row.
         */
        TOPOLOGY_CHANGING,

        /**
         * The change is settled: members, clusters, ids of clusters or leaders have changed, and maybe properties too. Always
         * preceded by {@link #TOPOLOGY_CHANGING}. The members may also be the same as before, if some left or were cut off and
         * came back.
         */
        TOPOLOGY_CHANGED,

        /** Only properties of one or more instances have changed. No changing event precedes it. */
        PROPERTIES_CHANGED
    }

    private final Type type;
    private final TopologyView oldView;
    private final TopologyView newView;

    /**
     * Makes an event. Applications need this in tests only.
     *
     * @param type never null
     * @param oldView null for {@link Type#TOPOLOGY_INIT} and for no other type
     * @param newView null for {@link Type#TOPOLOGY_CHANGING} and for no other type
     * @throws IllegalArgumentException if the type is null, or if a view is given or missing contrary to the table above; the
     *     message names the type, the view and the reason
     */
    public TopologyEvent(Type type, TopologyView oldView, TopologyView newView) {
        if (type == null) {
            throw new IllegalArgumentException("an event must have a type, but type is null");
        }
        if (type == Type.TOPOLOGY_INIT) {
            refuse(oldView, "TOPOLOGY_INIT must not have an oldView: nothing was announced before it");
        } else {
            require(oldView, type + " must have an oldView: the view that was announced before it");
        }
        if (type == Type.TOPOLOGY_CHANGING) {
            refuse(newView, "TOPOLOGY_CHANGING must not have a newView: the change is not settled yet");
        } else {
            require(newView, type + " must have a newView: the view that it announces");
        }
        this.type = type;
        this.oldView = oldView;
        this.newView = newView;
    }

    /**
     * Returns what has happened.
     *
     * @return never null
     */
    public Type getType() {
        return type;
    }

    /**
     * Returns the view that was valid before.
     *
     * @return null for {@link Type#TOPOLOGY_INIT}, and for no other type
     */
    public TopologyView getOldView() {
        return oldView;
    }

    /**
     * Returns the view that is valid from this event on.
     *
     * @return null for {@link Type#TOPOLOGY_CHANGING}, and for no other type
     */
    public TopologyView getNewView() {
        return newView;
    }

    /** Returns the type and both views, for display. */
    @Override
    public String toString() {
        return "TopologyEvent [type=" + type + ", oldView=" + oldView + ", newView=" + newView + "]";
    }

    private static void require(TopologyView view, String rule) {
        if (view == null) {
            throw new IllegalArgumentException(rule);
        }
    }

    private static void refuse(TopologyView view, String rule) {
        if (view != null) {
            throw new IllegalArgumentException(rule);
        }
    }
}
