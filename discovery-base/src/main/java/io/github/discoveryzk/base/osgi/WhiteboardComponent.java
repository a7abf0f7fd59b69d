// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Starts the discovery service once it is active. Not earlier: the service object of a listener may need the discovery service, and a
 * listener that is created during the activation would wait for it in a circle.
 */
@Component(
        service = {},
        immediate = true)
public final class WhiteboardComponent {

    @Activate
    public WhiteboardComponent(@Reference DiscoveryComponent discovery) {
        discovery.start();
    }
}
