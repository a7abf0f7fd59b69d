// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.spi.SettlingPolicy;

/**
 * The settling protocol: a function from the state of an instance and its facts to the next state and the effects. It has no
 * memory, reads no clock and has no side effects. {@link SettledRules} and {@link ChangingRules} have the rules.
 *
 * <table>
 *   <caption>The rules; each row is named by at least one transcript</caption>
 *   <tr><th>row</th><th>while</th><th>facts</th><th>becomes</th><th>effects</th></tr>
 *   <tr><td>1</td><td>settled</td><td>view stands, lease lasts, same properties</td><td>settled</td><td>none</td></tr>
 *   <tr><td>2</td><td>settled</td><td>view stands, lease lasts, other properties</td><td>settled</td><td>notify of properties</td></tr>
 *   <tr><td>3</td><td>settled</td><td>view invalidated, lease over, session over, stepping down or leaving</td><td>changing</td><td>notify of changing</td></tr>
 *   <tr><td>4</td><td>changing</td><td>no usable connection</td><td>changing, progress forgotten</td><td>none</td></tr>
 *   <tr><td>5</td><td>changing</td><td>own record cannot be read</td><td>changing</td><td>update</td></tr>
 *   <tr><td>6</td><td>changing</td><td>no own node, listeners returned</td><td>changing</td><td>create</td></tr>
 *   <tr><td>7</td><td>changing</td><td>seniority lost too often</td><td>changing</td><td>none until the rest is over</td></tr>
 *   <tr><td>8</td><td>changing</td><td>stepping down or leaving, listeners returned</td><td>changing</td><td>delete its own node</td></tr>
 *   <tr><td>9</td><td>changing</td><td>own node outdated</td><td>changing</td><td>delete it</td></tr>
 *   <tr><td>10</td><td>changing</td><td>own id held by another member</td><td>changing</td><td>none</td></tr>
 *   <tr><td>11</td><td>changing</td><td>no format in common with the members</td><td>changing</td><td>none</td></tr>
 *   <tr><td>12</td><td>changing</td><td>view older than one that is remembered</td><td>changing</td><td>update: invalidated up to</td></tr>
 *   <tr><td>13</td><td>changing</td><td>view stands, not acknowledged, lease lasts</td><td>settled</td><td>notify of settled</td></tr>
 *   <tr><td>14</td><td>changing</td><td>view stands, lease not confirmed</td><td>changing</td><td>renew or probe</td></tr>
 *   <tr><td>15</td><td>changing</td><td>view stands but was acknowledged</td><td>changing</td><td>update: invalidated up to</td></tr>
 *   <tr><td>16</td><td>changing</td><td>view stands, record of a member cannot be read, or too few members for the first INIT</td><td>changing</td><td>none</td></tr>
 *   <tr><td>17</td><td>changing</td><td>view stands, its leader cannot act for a settle timeout</td><td>changing</td><td>delete its own node</td></tr>
 *   <tr><td>18</td><td>changing</td><td>view invalidated, listeners returned</td><td>changing</td><td>acknowledge</td></tr>
 *   <tr><td>19</td><td>changing</td><td>own step-in delay over, a member has gone or the leader's lease is in doubt</td><td>changing</td><td>probe the lease</td></tr>
 *   <tr><td>20</td><td>changing</td><td>own step-in delay over, all survivors acknowledged, quiet, earlier lease over</td><td>changing</td><td>publish</td></tr>
 *   <tr><td>21</td><td>changing</td><td>own step-in delay over, settle timeout over, earlier lease over</td><td>changing</td><td>publish without the members that are missing</td></tr>
 *   <tr><td>22</td><td>any</td><td>its own node suspected</td><td>as without it</td><td>refute</td></tr>
 *   <tr><td>23</td><td>any</td><td>a hint about a member, not used yet, own connection quick, no own pause lately</td><td>as without it</td><td>suspect</td></tr>
 *   <tr><td>24</td><td>any</td><td>own suspicion stands, the hint too, for the verdict time without an own pause</td><td>as without it</td><td>convict</td></tr>
 *   <tr><td>25</td><td>any</td><td>own suspicion stands, the hint no longer; or its accuser has gone</td><td>as without it</td><td>withdraw</td></tr>
 *   <tr><td>26</td><td>any</td><td>the end of a member's process proven</td><td>as without it</td><td>delete its node</td></tr>
 * </table>
 *
 * <p>Besides, in each state with a usable connection, the store confirms a request each eighth of the session timeout (while
 * settled, a renewal by the leader, a lease probe by the successor, a probe by the others), its own record is rewritten
 * when it is out of date, and stale nodes that this instance is responsible for are removed.
 */
@FunctionalInterface
public interface Protocol {

    /** The protocol. */
    Protocol SETTLING = (state, facts, policy, now) -> {
        Decision decision = new Decision(facts, policy, now);
        Suspicions.decide(decision);
        return state instanceof Settling.Settled settled
                ? new SettledRules(decision).decide(settled.held())
                : new ChangingRules(decision).decide((Settling.Changing) state);
    };

    /**
     * Decides.
     *
     * @param state the state of the instance
     * @param facts its latest knowledge
     * @param policy how long to wait
     * @param now monotonic milliseconds
     */
    Step step(Settling state, Facts facts, SettlingPolicy policy, long now);
}
