// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import org.apache.sling.discovery.commons.spi.SettlingPolicy;

/**
 * The settling protocol: a function from where an instance stands and what it knows to where it stands then and what it has to
 * do. It has no memory, reads no clock and touches nothing.
 *
 * <table>
 *   <caption>What happens</caption>
 *   <tr><th>while</th><th>facts</th><th>becomes</th><th>effects</th></tr>
 *   <tr><td>settled(v)</td><td>v stands, lease lasts, same properties</td><td>settled(v)</td><td>none</td></tr>
 *   <tr><td>settled(v)</td><td>v stands, lease lasts, other properties</td><td>settled(v')</td><td>tell properties</td></tr>
 *   <tr><td>settled(v)</td><td>v void, lease over, session over, leaving</td><td>changing</td><td>tell changing</td></tr>
 *   <tr><td>changing</td><td>no usable connection</td><td>changing, no progress</td><td>none</td></tr>
 *   <tr><td>changing</td><td>no own node, listeners returned</td><td>changing</td><td>create node, delete earlier ones</td></tr>
 *   <tr><td>changing</td><td>lost its place too often</td><td>changing</td><td>none until the rest is over</td></tr>
 *   <tr><td>changing</td><td>stands down or leaves, listeners returned</td><td>changing</td><td>delete own node</td></tr>
 *   <tr><td>changing</td><td>own node outdated</td><td>changing</td><td>delete it</td></tr>
 *   <tr><td>changing</td><td>view stands and was not acknowledged, lease lasts</td><td>settled</td><td>tell settled</td></tr>
 *   <tr><td>changing</td><td>view stands but was acknowledged</td><td>changing</td><td>update: void up to</td></tr>
 *   <tr><td>changing</td><td>view void, listeners returned</td><td>changing</td><td>acknowledge</td></tr>
 *   <tr><td>changing</td><td>view older than one that is remembered</td><td>changing</td><td>update: void up to</td></tr>
 *   <tr><td>changing</td><td>own turn, a member has gone</td><td>changing</td><td>probe the lease</td></tr>
 *   <tr><td>changing</td><td>own turn, all survivors acknowledged, quiet, lease of a leader that has gone over</td><td>changing</td><td>publish</td></tr>
 *   <tr><td>changing</td><td>own turn, settle timeout over</td><td>changing</td><td>publish without who is missing</td></tr>
 * </table>
 *
 * <p>Besides, in each state with a usable connection: the store is heard each third of the session timeout (while settled, a
 * renewal by the leader, a lease probe by the next in order, a confirmation by the others), the own record is rewritten when it is
 * not what it should be, and nodes that this instance has to remove are removed.
 */
@FunctionalInterface
public interface Protocol {

    /** The protocol. */
    Protocol SETTLING = (state, facts, policy, now) -> {
        Decision decision = Decision.of(facts, policy, now);
        return state instanceof Settling.Settled settled
                ? new SettledRules(decision).decide(settled.held())
                : new ChangingRules(decision).decide((Settling.Changing) state);
    };

    /**
     * Decides.
     *
     * @param state where the instance stands
     * @param facts the latest it knows
     * @param policy how long to wait for whom
     * @param now monotonic milliseconds
     */
    Step step(Settling state, Facts facts, SettlingPolicy policy, long now);
}
