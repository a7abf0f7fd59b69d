// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.commons.report.State;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/** A request that failed is repeated soon when the reason of its failure is gone. */
class BackOffTest extends VirtualCluster {

    private static final long SOON_MILLIS = 1_000;
    private static final int SERVER_LAG = 100;

    @Test
    void aPublicationThatWasOvertakenIsNotDelayedNextTime() {
        VirtualInstance a = new VirtualInstance(
                "a", 77, time, ensemble, new VirtualInstance.Traits(Protocol.SETTLING, 1, SERVER_LAG));
        a.instance().start();
        assertThat(a.await(State.SETTLED)).isTrue();
        VirtualInstance b = instance("b");
        b.stepInAfter(1);
        b.instance().start();
        assertThat(a.awaitOrder("a", "b")).isTrue();
        for (int i = 0; i < 10; i++) {
            VirtualInstance guest = started("guest");
            assertThat(a.awaitOrder("a", "b", "guest")).isTrue();
            guest.leave();
            assertThat(a.awaitOrder("a", "b")).isTrue();
        }
        assertThat(ensemble.history())
                .extracting(entry -> entry.difference().head().publisher())
                .as("a is overtaken")
                .endsWith("b", "b", "b", "b", "b");

        b.leave();
        assertThat(time.runUntil(() -> a.order().equals(List.of("a")), SOON_MILLIS))
                .isTrue();
    }

    @Test
    void aRequestThatWasRejectedOnAnEarlierConnectionIsRepeatedSoon() {
        VirtualInstance a = cluster("a", "b").get(0);
        a.store().deny(Set.of(Request.Update.class));
        a.instance().addPropertyProvider(name -> "new", "p");
        time.run(24_000);
        a.store().deny(Set.of());
        time.run(SOON_MILLIS);
        assertThat(property(a)).as("the longest rest lasts 10 s").isNull();

        a.store().cut(0);
        time.run(10);
        a.store().restore();
        time.run(SOON_MILLIS);
        assertThat(property(a)).isEqualTo("new");
    }

    private static String property(VirtualInstance of) {
        InstanceDescription local = of.instance().getTopology().getLocalInstance();
        return local.getProperty("p");
    }
}
