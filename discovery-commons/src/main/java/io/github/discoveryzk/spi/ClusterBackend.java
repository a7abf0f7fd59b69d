// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The configured access to a cluster, offered as an OSGi service by a back end and consumed by the discovery service: while it
 * is registered, the instance is in that cluster or tries to be; when it is unregistered the instance leaves.
 */
@ProviderType
public interface ClusterBackend {

    /** Returns a new, unopened connection to the cluster. The caller closes it. */
    ClusterStore newStore();

    /** Returns the session timeout that its stores request, in milliseconds; no settle timeout is shorter. */
    int sessionTimeoutMillis();

    /** Returns the address of the cluster for display: which store, which root, which cluster. Holds no secrets. */
    String address();

    /** Returns the present problems of the configuration, a sentence each: which key, which value, what is used instead. */
    List<String> problems();
}
