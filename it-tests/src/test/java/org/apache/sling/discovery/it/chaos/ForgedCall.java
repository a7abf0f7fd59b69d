// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.sling.discovery.it.chaos.Recording.Received;

/** Changes one thing in a call of a listener. */
final class ForgedCall {

    private ForgedCall() {}

    static Received typed(Received call, String type) {
        return copy(call, call.entered(), type, true, false, true, call.order(), call.leader(), call.cluster());
    }

    static Received enteredAt(Received call, long time) {
        return copy(call, time, call.type(), true, false, true, call.order(), call.leader(), call.cluster());
    }

    static Received withAnotherOldView(Received call) {
        return copy(call, call.entered(), call.type(), false, false, true, call.order(), call.leader(), call.cluster());
    }

    static Received withEqualProperties(Received call) {
        return copy(call, call.entered(), call.type(), true, true, true, call.order(), call.leader(), call.cluster());
    }

    static Received withAnotherStructure(Received call) {
        return copy(call, call.entered(), call.type(), true, false, false, call.order(), call.leader(), call.cluster());
    }

    static Received ledBy(Received call, String leader) {
        return copy(call, call.entered(), call.type(), true, false, true, call.order(), leader, call.cluster());
    }

    static Received ofAnotherCluster(Received call) {
        return copy(call, call.entered(), call.type(), true, false, true, call.order(), call.leader(), "other");
    }

    static Received ordered(Received call, int... places) {
        List<Recording.Seat> order =
                IntStream.of(places).mapToObj(call.order()::get).toList();
        return copy(
                call,
                call.entered(),
                call.type(),
                true,
                false,
                true,
                order,
                order.get(0).instance(),
                call.cluster());
    }

    private static Received copy(
            Received call,
            long entered,
            String type,
            boolean sameOld,
            boolean equalProperties,
            boolean sameStructure,
            List<Recording.Seat> order,
            String leader,
            String cluster) {
        return new Received(
                call.by(),
                entered,
                entered + 5,
                type,
                call.view(),
                call.token(),
                sameOld,
                equalProperties,
                sameStructure,
                order,
                leader,
                cluster);
    }
}
