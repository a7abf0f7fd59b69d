// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.chaos.Recording.View;

/** L8: a view in an event was published, and has the receiving instance as a member. */
final class NoFabricatedViewLaw implements Law {

    @Override
    public String name() {
        return "L8 No fabricated view";
    }

    @Override
    public List<String> objections(Recording recording) {
        Map<Long, View> chain = recording.chain();
        return Stream.concat(
                        recording.received().stream()
                                .filter(call -> !chain.containsKey(call.view()))
                                .map(call -> call + ", which was never published"),
                        recording.received().stream()
                                .filter(call -> call.order().stream().noneMatch(seat -> seat.process()
                                        .equals(call.by().process())))
                                .map(call -> call + " and is not in it"))
                .toList();
    }
}
