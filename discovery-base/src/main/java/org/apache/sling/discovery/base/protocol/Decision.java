// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;

/**
 * What the rules of one evaluation of the {@link Protocol} share: what is known, what follows from it at once, and what is asked for.
 *
 * @param facts what the instance knows
 * @param policy how long to wait
 * @param now monotonic milliseconds
 * @param candidates the members that the next view would have
 * @param agenda what the rules ask for
 */
record Decision(Facts facts, SettlingPolicy policy, long now, Candidates candidates, Agenda agenda) {

    static Decision of(Facts facts, SettlingPolicy policy, long now) {
        Candidates candidates = facts.store().map(Candidates::of).orElse(Candidates.NONE);
        return new Decision(facts, policy, now, candidates, new Agenda(facts, now));
    }

    Explanation explanation() {
        return new Explanation(facts, now);
    }

    /** Says whether this instance gives up the place that it has by that node. */
    boolean isRetiring(String node) {
        return facts.intent().retiring().filter(node::equals).isPresent();
    }

    /** Asks for the removal of nodes that have no right to be there any more, one at a time. */
    void removeStaleMembers(StoreSnapshot store) {
        StaleMembers.of(store, facts).stream().findFirst().ifPresent(note -> agenda.ask(new Request.Delete(note)));
    }

    /** Asks for a request when nothing has been confirmed for a third of the session timeout. */
    void confirm(Request request, long last) {
        agenda.askAt(last + facts.link().timeoutMillis() / 3, request);
    }

    /**
     * Rewrites the own record in the store when it is not what it should be.
     *
     * @param voidUpTo the number of the latest view that this instance declares void
     * @param waitingFor the listeners that this instance names to the others
     */
    void keepRecord(Member self, OptionalLong voidUpTo, Optional<String> waitingFor) {
        facts.store().filter(store -> facts.link().usable()).ifPresent(store -> {
            MemberRecord wanted = record(store, voidUpTo, waitingFor);
            if (!wanted.equals(self.record())) {
                agenda.ask(new Request.Update(self.node(), wanted));
            }
        });
    }

    /** Returns what this instance says of itself in the store. */
    MemberRecord record(StoreSnapshot store, OptionalLong voidUpTo, Optional<String> waitingFor) {
        return facts.own()
                .withSessionTimeout(facts.link().timeoutMillis())
                .withProtocolFields(voidUpTo, waitingFor)
                .withFormat(candidates.format(store.formats()));
    }

    /** Returns the request by which the leader of the present view renews its lease. */
    static Request renewal(Member self, StoreSnapshot store) {
        return new Request.Renew(self.node(), store.slot().version());
    }
}
