// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server;

import org.osgi.annotation.versioning.ProviderType;

/** Reports on the ensemble. Registered as a service while {@code servers} is configured. May be used from any thread. */
@ProviderType
public interface EnsembleReporter {

    /**
     * Returns the ensemble as this container sees it. Asks the servers, which takes up to two seconds for each that does not
     * answer; a report is returned again for three seconds.
     */
    EnsembleReport report();
}
