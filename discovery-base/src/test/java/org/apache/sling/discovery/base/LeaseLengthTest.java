// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Members with session timeouts of different lengths: the lease of a leader lasts as long as that leader counts it, for all. */
class LeaseLengthTest extends VirtualCluster {

    private static final int LONG = 12_000;
    private static final int ENDLESS = 200 * VirtualInstance.SESSION_TIMEOUT;

    @Test
    void aLongSessionOfAFollowerDoesNotDelayTheNextLeader() {
        VirtualInstance a = settled("a");
        VirtualInstance b = started("b");
        assertThat(b.awaitOrder("a", "b")).isTrue();
        VirtualInstance c = started("c", ENDLESS);
        assertThat(c.awaitOrder("a", "b", "c")).isTrue();

        a.kill();
        assertThat(time.runUntil(() -> b.leads(), VirtualInstance.SESSION_TIMEOUT * 5 / 4))
                .isTrue();
    }

    /** The publication names the length, so a leader that has not renewed since then makes no difference. */
    @Test
    void norDoesItBeforeTheFirstRenewalOfTheLeader() {
        VirtualInstance a = settled("a");
        VirtualInstance b = started("b");
        assertThat(b.awaitOrder("a", "b")).isTrue();
        VirtualInstance c = started("c", ENDLESS);
        assertThat(time.runUntil(() -> a.leads() && a.order().size() == 3, 60_000))
                .isTrue();

        a.kill();
        assertThat(time.runUntil(() -> b.leads(), VirtualInstance.SESSION_TIMEOUT * 5 / 4))
                .isTrue();
        assertThat(c.awaitOrder("b", "c")).isTrue();
    }

    /** The leader is cut off, its session ends early, and no view tells how long its lease is. */
    @Test
    void aLostViewDoesNotShortenTheLeaseOfItsLeader() {
        VirtualInstance a = started("a", LONG);
        assertThat(a.awaitOrder("a")).isTrue();
        time.run(2 * LONG);
        a.store().cut(Long.MAX_VALUE / 4);
        ensemble.end(a.store().session());
        ensemble.spoilView();

        assertNoTwoLeaders(a, started("b"));
    }

    /** The servers grant a shorter session timeout, and the leader is cut off before it has renewed its lease by that length. */
    @Test
    void aShorterSessionAfterAReconnectDoesNotShortenTheLease() {
        VirtualInstance a = started("a", LONG);
        assertThat(a.awaitOrder("a")).isTrue();
        VirtualInstance b = started("b");
        assertThat(b.awaitOrder("a", "b")).isTrue();
        time.run(2 * LONG);
        a.store().cut(10);
        a.store().renegotiate(VirtualInstance.SESSION_TIMEOUT);
        time.run(50);
        a.store().restore();
        time.run(50);
        a.store().cut(Long.MAX_VALUE / 4);
        ensemble.end(a.store().session());

        assertNoTwoLeaders(a, b);
    }

    private VirtualInstance started(String id, int sessionTimeoutMillis) {
        VirtualInstance instance = instance(id);
        instance.store().renegotiate(sessionTimeoutMillis);
        instance.instance().start();
        return instance;
    }

    private void assertNoTwoLeaders(VirtualInstance earlier, VirtualInstance next) {
        long end = time.now() + 3 * LONG;
        while (time.now() < end && !next.leads()) {
            time.step();
        }
        assertThat(next.leads()).as("the next one leads in the end").isTrue();
        assertThat(earlier.leads()).as("the earlier one leads at the same time").isFalse();
    }
}
