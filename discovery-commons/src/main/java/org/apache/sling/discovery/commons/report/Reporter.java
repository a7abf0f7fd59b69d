// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import org.osgi.annotation.versioning.ProviderType;

/** Tells how discovery is doing. Offered as an OSGi service by the discovery bundle, for consoles and shells. */
@ProviderType
public interface Reporter {

    /** Returns the present state. Does no I/O and takes no lock; may be called from any thread, as often as wanted. */
    TopologyReport report();
}
