// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.time.LocalTime;
import org.apache.felix.scr.annotations.Component;
import org.apache.felix.scr.annotations.Service;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each topology event as one line of the log, under the name {@code io.github.discoveryzk.sample}.
 *
 * <p>A listener only has to be a service to be found. It returns immediately, because the whole cluster waits for it before a
 * change can settle.
 */
@Component
@Service(TopologyEventListener.class)
@ThreadsAndClocks
public final class SampleTopologyEventListener implements TopologyEventListener {

    private static final Logger LOGGER = LoggerFactory.getLogger("io.github.discoveryzk.sample");

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        LOGGER.info("{}", EventLine.of(LocalTime.now(), event));
    }
}
