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
 * The shared input and output of the rules in one evaluation of the {@link Protocol}: the facts, what follows directly from
 * them, and the agenda.
 *
 * @param facts the facts that the instance knows
 * @param policy how long to wait
 * @param now monotonic milliseconds
 * @param agenda collects the effects and requests of the rules
 */
record Decision(Facts facts, SettlingPolicy policy, long now, Agenda agenda) {

    static Decision of(Facts facts, SettlingPolicy policy, long now) {
        return new Decision(facts, policy, now, new Agenda(facts, now));
    }

    /** Returns the members that the next view would have. */
    Candidates candidates() {
        return facts.candidates();
    }

    /** Says whether this instance is giving up the seniority of that node. */
    boolean isStandingDown(String node) {
        return facts.intent().standingDown().filter(node::equals).isPresent();
    }

    /** Requests the removal of stale nodes, one at a time. */
    void removeStaleMembers(StoreSnapshot store) {
        StaleMembers.of(store, facts).stream().findFirst().ifPresent(note -> agenda.ask(new Request.Delete(note)));
    }

    /**
     * Collects the acknowledgements if this instance leads, or cannot read a newcomer: an instance that can read it acknowledges the view,
     * and one that cannot must see that. It sees it also while CHANGING, or the view would stand for it again.
     */
    void collect(boolean leads) {
        agenda.collect(leads || !candidates().unreadableNewcomers().isEmpty());
    }

    /** Adds a request when a third of the session timeout has passed since the last confirmation. */
    void confirm(Request request, long last) {
        agenda.askAt(last + facts.link().timeoutMillis() / 3, request);
    }

    /**
     * Rewrites the own record in the store when it is out of date.
     *
     * @param voidUpTo the number of the latest view that this instance declares void
     * @param waitingFor the slow listeners that the record of this instance names
     */
    void keepRecord(Member self, OptionalLong voidUpTo, Optional<String> waitingFor) {
        facts.store().filter(store -> facts.link().usable()).ifPresent(store -> {
            MemberRecord wanted = record(store, voidUpTo, waitingFor);
            if (!wanted.equals(self.record())) {
                agenda.ask(new Request.Update(self.node(), wanted));
            }
        });
    }

    /** Returns the own record of this instance as it must be in the store. */
    MemberRecord record(StoreSnapshot store, OptionalLong voidUpTo, Optional<String> waitingFor) {
        return facts.own()
                .withSessionTimeout(facts.link().timeoutMillis())
                .withProtocolFields(voidUpTo, waitingFor)
                .withFormat(candidates().format(store.formats()));
    }

    /** Returns the request by which the leader of the present view renews its lease. */
    Request renewal(Member self, StoreSnapshot store) {
        return new Request.Renew(
                self.node(), store.slot().version(), facts.link().longestMillis());
    }
}
