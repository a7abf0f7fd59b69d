// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.spi.Request;
import org.junit.jupiter.api.Test;

class OutstandingRequestsTest {

    private final OutstandingRequests outstanding = new OutstandingRequests();
    private final Request request = new Request.Delete(LeaveRecord.own("m-a", LeaveRecord.Kind.STOPPED));

    @Test
    void aKindIsUnderWayUntilItSucceedsAndAnotherReplyConfirmsNothing() {
        outstanding.start(request, 1_000);
        assertThat(outstanding.kinds(1_000)).containsExactly(Request.Delete.class);
        assertThat(outstanding.wakeAt(1_000)).isEqualTo(Long.MAX_VALUE);

        assertThat(outstanding.complete(request)).isEqualTo(1_000);
        assertThat(outstanding.kinds(1_001)).isEmpty();
        assertThat(outstanding.complete(request)).isLessThan(Long.MIN_VALUE / 8);
    }

    @Test
    void aKindThatFailsRestsLongerEachTimeUpToALimit() {
        long now = 0;
        for (long rest : new long[] {50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000}) {
            outstanding.start(request, now);
            outstanding.backOff(request, now);
            assertThat(outstanding.wakeAt(now)).isEqualTo(now + rest);
            assertThat(outstanding.kinds(now + rest - 1)).containsExactly(Request.Delete.class);
            now += rest;
            assertThat(outstanding.kinds(now)).isEmpty();
            assertThat(outstanding.wakeAt(now)).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void successEndsTheSeriesOfFailures() {
        outstanding.backOff(request, 0);
        outstanding.backOff(request, 50);
        outstanding.start(request, 150);
        outstanding.complete(request);
        outstanding.backOff(request, 200);

        assertThat(outstanding.wakeAt(200)).isEqualTo(250);
    }

    @Test
    void oneKindDoesNotHoldAnotherBack() {
        outstanding.backOff(request, 0);
        outstanding.start(new Request.Probe(), 10);
        assertThat(outstanding.kinds(10)).containsExactlyInAnyOrder(Request.Delete.class, Request.Probe.class);

        outstanding.complete(new Request.Probe());
        assertThat(outstanding.kinds(10)).containsExactly(Request.Delete.class);
    }
}
