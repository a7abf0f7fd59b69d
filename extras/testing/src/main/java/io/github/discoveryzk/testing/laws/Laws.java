// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.sling.discovery.TopologyEvent;

/**
 * The laws that follow from what was published and what listeners received, in every way to play a history. Without state; what breaks
 * is handed to a judge, who may throw it.
 */
public final class Laws {

    public static final String GRAMMAR = "L1 Grammar";
    public static final String ORDER = "L2 Order";
    public static final String LEADER = "L3 Leader";
    public static final String AGREEMENT = "L4 Agreement";
    public static final String SETTLED = "L5 Settled";
    public static final String ONE_CURRENT_LEADER = "L6 One current leader";
    public static final String TOKEN = "L7 Token";
    public static final String NO_FABRICATED_VIEW = "L8 No fabricated view";
    public static final String NO_NEEDLESS_EVENT = "L9 No needless event";
    public static final String LIVENESS = "L10 Liveness";
    public static final String IDENTITY = "L11 Identity";
    public static final String BOUNDED_STORE = "L12 Bounded store";
    public static final String HINT_IS_NO_PROOF = "L17 A hint is no proof";
    public static final String BLIND_IS_NOT_DEAD = "L14 Blind is not dead";
    public static final String REGISTER = "L18 Register";
    public static final String OWN_WRITES = "L19 Own writes";
    public static final String FENCE = "L20 Fence";
    public static final String HEIR = "L21 Heir";
    public static final String OWNED = "L22 Owned";
    public static final String SAID_UNKNOWN = "L23 Said unknown";
    public static final String ONE_WORKER = "L25 One worker";
    public static final String WORKS_TOKEN = "L26 Work's token";
    public static final String BALANCE = "L27 Balance";
    public static final String LEAST_MOVEMENT = "L28 Least movement";
    public static final String LIVE_WORK = "L29 Live work";

    private final Consumer<LawBroken> judge;

    public Laws(Consumer<LawBroken> judge) {
        this.judge = judge;
    }

    /** Returns laws that throw what breaks. */
    public static Laws throwing() {
        return new Laws(broken -> {
            throw broken;
        });
    }

    /** Hands a violation to the judge unless a condition holds. */
    public void check(boolean holds, String law, Supplier<String> evidence) {
        if (!holds) {
            judge.accept(new LawBroken(law, evidence.get()));
        }
    }

    /**
     * Checks a publication, and returns the chain with it.
     *
     * @param live the nodes that are alive, as far as known
     * @param foreign whether another client may have written since the view before, so that it need not follow that one
     */
    public Chain published(Chain chain, View view, Set<String> live, boolean foreign) {
        check(
                view.number() > chain.highestNumber() && (foreign || view.previous() == chain.newestNumber()),
                AGREEMENT,
                () -> view + " does not follow view " + chain.newestNumber());
        checkIdentity(view.ids(), view);
        Optional<View> before = chain.view(view.previous());
        checkOrder(view, before);
        before.ifPresent(old -> checkSurvivors(view, old, live));
        check(
                view.members().stream().noneMatch(seat -> chain.excluded().contains(seat.node())),
                LEADER,
                () -> view + " has a member that was excluded before");
        checkToken(chain, view, foreign);
        return chain.with(view);
    }

    private void checkIdentity(List<String> ids, Object where) {
        check(new HashSet<>(ids).size() == ids.size(), IDENTITY, () -> "an instance id is twice in " + where);
    }

    /** Survivors keep their order and come first, and all are ordered by seniority. */
    private void checkOrder(View view, Optional<View> before) {
        long last = 0;
        boolean ordered = true;
        for (View.Seat seat : view.members()) {
            ordered &= seat.seniority() == 0 || seat.seniority() > last;
            last = Math.max(last, seat.seniority());
        }
        List<String> survivors = before.map(View::members).orElse(List.of()).stream()
                .map(View.Seat::node)
                .filter(view::has)
                .toList();
        List<String> first = view.members().subList(0, survivors.size()).stream()
                .map(View.Seat::node)
                .toList();
        check(ordered && first.equals(survivors), ORDER, () -> view.members() + " after " + before);
    }

    private void checkSurvivors(View view, View before, Set<String> live) {
        for (View.Seat seat : before.members()) {
            boolean leads = seat.node().equals(before.leader().node());
            boolean lives = live.contains(seat.node()) && !view.excluded().contains(seat.node());
            boolean keeps = leads ? seat.node().equals(view.leader().node()) : view.has(seat.node());
            check(
                    !lives || keeps,
                    leads ? LEADER : BLIND_IS_NOT_DEAD,
                    () -> seat + " lives and has lost its place in " + view);
        }
    }

    private void checkToken(Chain chain, View view, boolean foreign) {
        Optional<View> last = chain.view(chain.highestNumber());
        boolean goesOn = last.filter(
                        old -> old.leader().node().equals(view.leader().node()))
                .filter(old -> foreign || view.previous() == old.number())
                .isPresent();
        boolean same = goesOn && view.token() == last.get().token();
        boolean begins = (!goesOn || foreign) && view.token() > chain.highestToken();
        check(same || begins, TOKEN, () -> view + " after " + last + " and token " + chain.highestToken());
    }

    /**
     * Checks a call, and returns the listener as it is during that call.
     *
     * @param caused whether something has happened that may cause an event of that type
     * @param all all listeners of all processes that run
     */
    public Listening called(Chain chain, Listening listener, Call call, boolean caused, Collection<Listening> all) {
        Supplier<String> evidence = () -> listener + " receives " + call;
        boolean properties = call.type() == TopologyEvent.Type.PROPERTIES_CHANGED;
        check(
                !listener.removed()
                        && listener.expects(call.type())
                        && call.sameOld()
                        && (!properties || call.sameStructure())
                        && all.stream().noneMatch(other -> other.running() && other.isSameObject(listener)),
                GRAMMAR,
                evidence);
        check(caused && !(properties && call.equalProperties()), NO_NEEDLESS_EVENT, evidence);
        checkShown(chain, listener.process(), call.shown());
        Listening next = listener.called(call.type(), call.shown().number());
        if (call.settles()) {
            checkSettled(chain, next, all);
        }
        return next;
    }

    /** Checks that a view that a process shows is the published one, and has it as a member. */
    public void checkShown(Chain chain, String process, Call.Shown shown) {
        Optional<View> published = chain.view(shown.number());
        check(
                published
                        .filter(view -> view.members().stream()
                                .anyMatch(seat -> seat.process().equals(process)
                                        || seat.process().isEmpty()
                                                && seat.instance().equals(shown.local())))
                        .isPresent(),
                NO_FABRICATED_VIEW,
                () -> process + " shows " + shown + " but published was " + published);
        checkIdentity(shown.ids(), shown);
        check(shown.leader().equals(shown.ids().get(0)), LEADER, () -> process + " shows " + shown);
        published.ifPresent(view -> {
            Supplier<String> evidence = () -> process + " shows " + shown + " but published was " + view;
            check(view.ids().equals(shown.ids()) && view.cluster().equals(shown.cluster()), AGREEMENT, evidence);
            check(shown.token() == 0 || shown.token() == view.token(), TOKEN, evidence);
        });
    }

    /**
     * Checks that no listener of a member acts on an earlier view when one has received the next: the member acknowledges only after
     * its listeners have returned from CHANGING.
     */
    public void checkSettled(Chain chain, Listening hearing, Collection<Listening> all) {
        View view = chain.view(hearing.number()).orElse(null);
        View before = view == null ? null : chain.view(view.previous()).orElse(null);
        if (before == null) {
            return;
        }
        for (Listening other : all) {
            boolean behind = other.acts() && other.number() < view.number();
            check(
                    !behind
                            || view.members().stream()
                                    .filter(seat -> before.has(seat.node()))
                                    .noneMatch(seat -> seat.process().equals(other.process())),
                    SETTLED,
                    () -> hearing.process() + " receives " + view + " while " + other
                            + " has not returned from CHANGING");
        }
    }

    /** Checks that a process that says that it leads has the greatest token that any has had, and returns that token. */
    public long acted(String process, long token, long highest) {
        check(token >= highest, TOKEN, () -> process + " acts with token " + token + " after " + highest);
        return Math.max(token, highest);
    }
}
