// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.Candidates;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.memory.Content;
import java.util.List;
import java.util.Optional;

/**
 * The store with its past. Immutable.
 *
 * @param content what it holds; the seniority of a member node is the number in its name
 * @param chain all views ever published
 * @param disagreed whether the members have differed from the view since it was published
 */
record Store(Content content, Chain chain, boolean disagreed) {

    static final String CLUSTER = "the-cluster";

    private static final long FIRST_STAMP = Content.empty().transaction();

    static Store empty() {
        return new Store(Content.empty(), Chain.EMPTY, false);
    }

    /** The outcome of a request. */
    record Executed(Store store, Outcome outcome) {}

    static int seniority(String node) {
        return Integer.parseInt(node, 2, node.length(), 10);
    }

    List<Member> members() {
        return content.members();
    }

    Optional<EstablishedView> view() {
        return content.slot().view();
    }

    long number() {
        return view().map(EstablishedView::number).orElse(FIRST_STAMP);
    }

    StoreSnapshot snapshot(boolean collecting) {
        return content.snapshot(CLUSTER, collecting, List.of());
    }

    Executed execute(Request request, long session) {
        Content.Executed executed = content.execute(request, session, 0, created -> "m-" + (created + 1));
        Content next = executed.content();
        return new Executed(
                request instanceof Request.Publish publish && next != content
                        ? new Store(next, Checks.published(this, publish.next()), false).judged()
                        : with(next),
                executed.outcome());
    }

    /** Returns the store after the end of a session. */
    Store ended(long session) {
        return with(content.ended(session));
    }

    private Store with(Content next) {
        Store after = new Store(next, chain, disagreed);
        return next.members() == content.members() && next.slot() == content.slot() ? after : after.judged();
    }

    private Store judged() {
        boolean agrees =
                view().filter(Candidates.of(snapshot(false))::agreeWith).isPresent();
        return new Store(content, chain, disagreed || !agrees);
    }
}
