// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.base.osgi.SettledService.Offer;
import java.util.Map;
import org.osgi.service.condition.Condition;

/** The condition that the topology is settled. Where the type of conditions is unknown, use {@link #ID} only. */
final class SettledCondition {

    static final String ID = "discovery.settled";

    private SettledCondition() {}

    static Offer offer() {
        return new Offer(Condition.class.getName(), Condition.INSTANCE, Map.of(Condition.CONDITION_ID, ID));
    }
}
