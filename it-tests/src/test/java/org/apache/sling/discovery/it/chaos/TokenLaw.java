// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.chaos.Recording.View;
import org.apache.sling.discovery.it.chaos.Recording.Yes;

/**
 * L7: a leadership has one token, greater than all earlier ones, and all listeners receive that one. After a view that another
 * client deleted or restored, the next one has "a new token: others may have led in the gap".
 */
final class TokenLaw implements Law {

    @Override
    public String name() {
        return "L7 Token";
    }

    @Override
    public List<String> objections(Recording recording) {
        List<String> objections = new ArrayList<>();
        View last = null;
        for (View view : recording.views()) {
            if (last != null) {
                boolean same = view.leader().equals(last.leader());
                boolean goesOn = same && view.token() == last.token();
                boolean begins = view.token() > last.token() && (!same || recording.mayStartNewChain(view));
                if (!goesOn && !begins) {
                    objections.add(view + " after " + last + (same ? ", which has the same leader" : ""));
                }
            }
            last = view;
        }
        Map<Long, View> chain = recording.chain();
        receivedTokens(recording, chain, objections);
        answers(recording.yes(), chain, objections);
        return objections;
    }

    private static void receivedTokens(Recording recording, Map<Long, View> chain, List<String> objections) {
        recording.received().stream()
                .filter(call -> call.token() != 0 && chain.containsKey(call.view()))
                .filter(call -> call.token() != chain.get(call.view()).token())
                .forEach(call -> objections.add(
                        call + " with token " + call.token() + " but published was " + chain.get(call.view())));
    }

    /** Checks the answers of leaders, once for each view of each process. */
    private static void answers(List<Yes> answers, Map<Long, View> chain, List<String> objections) {
        Map<String, Yes> first = new HashMap<>();
        long highest = 0;
        String leader = "";
        for (Yes yes : answers) {
            if (yes.token() == 0) {
                continue;
            }
            Yes other = first.putIfAbsent(yes.process() + " " + yes.view(), yes);
            View view = chain.get(yes.view());
            if (other == null && view != null && view.token() != yes.token()) {
                objections.add(yes + " but published was " + view);
            } else if (other != null && other.token() != yes.token()) {
                objections.add(yes + " but " + other);
            }
            if (yes.token() < highest || yes.token() == highest && !leader.equals(yes.process())) {
                objections.add(yes + " after " + leader + " had token " + highest);
            } else {
                highest = yes.token();
                leader = yes.process();
            }
        }
    }
}
