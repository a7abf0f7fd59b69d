// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.apache.sling.discovery.testing.time.VirtualProcess;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.Test;

/** A store that creates unreadable member nodes must not fill up with them. */
class UnseenMemberTest {

    private final VirtualTime time = new VirtualTime();
    private final VirtualProcess process = new VirtualProcess(time);

    @Test
    void restsLongerAndLonger() {
        Blind store = new Blind();
        Execution execution = new Execution(
                new Time(time::now, time::now), process.executor(() -> 0), process.executor(() -> 0), () -> {});
        InstanceIdentity identity = new InstanceIdentity("a", new ProcessInfo("r", "host", 1, "/", 0));
        new DiscoveryInstance(identity, store, () -> SettlingPolicy.DEFAULT, execution).start();
        time.run(10_000);

        assertThat(store.created).isBetween(3, 12);
    }

    private final class Blind implements ClusterStore {

        private final StoreSnapshot empty = new StoreSnapshot(
                "c", List.of(), new ViewSlot(0, 1, 0, Optional.empty()), Optional.empty(), Optional.empty(), List.of());
        private StoreObserver observer;
        private int created;

        @Override
        public void open(StoreObserver opened) {
            observer = opened;
            observer.connected(7, 9_000);
            observer.observed(empty);
        }

        @Override
        public void request(Request request) {
            created += request instanceof Request.Announce ? 1 : 0;
            process.after(1, () -> observer.completed(request, Outcome.DONE));
        }

        @Override
        public void collect(boolean acknowledgements) {}

        @Override
        public void close() {}
    }
}
