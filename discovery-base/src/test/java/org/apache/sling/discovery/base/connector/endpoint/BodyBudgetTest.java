// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {

    private static final int BODY = WireLimits.DEFAULT.bodyBytes();

    private final BodyBudget budget = new BodyBudget(100);

    private BodyBudget.Share open(String sender) {
        return budget.open(sender).orElseThrow();
    }

    @Test
    void memoryIsTakenUntilABodyIsProcessed() {
        BodyBudget.Share one = open("a");
        BodyBudget.Share other = open("b");
        assertThat(one.take(60)).isTrue();
        assertThat(other.take(41)).isFalse();
        assertThat(other.take(40)).isTrue();
        one.endReading();
        assertThat(other.take(1)).isFalse();
        one.close();
        one.close();
        assertThat(other.take(60)).isTrue();
        assertThat(other.take(1)).isFalse();
    }

    @Test
    void aPlaceIsTakenUntilABodyIsRead() {
        for (int i = 0; i < BodyBudget.MAX_OF_SENDER - 1; i++) {
            open("a");
        }
        BodyBudget.Share last = open("a");
        assertThat(budget.open("a")).isEmpty();
        last.endReading();
        last.close();
        open("a");
        assertThat(budget.open("a")).isEmpty();
        open("b");
    }

    @Test
    void thereIsRoomForOneBodyInASmallHeapAndForMoreInAGreaterOne() {
        assertRoom(BODY, 64L << 20);
        assertRoom(BODY, 128L << 20);
        assertRoom(4 * BODY, 512L << 20);
        assertRoom(32 * BODY, 1L << 40);
    }

    private static void assertRoom(int bytes, long heap) {
        BodyBudget.Share share =
                BodyBudget.of(WireLimits.DEFAULT, heap).open("a").orElseThrow();
        assertThat(share.take(bytes)).isTrue();
        assertThat(share.take(1)).isFalse();
    }
}
