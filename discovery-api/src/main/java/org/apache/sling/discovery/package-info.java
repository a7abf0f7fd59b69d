// SPDX-License-Identifier: Apache-2.0
/**
 * The instances of a topology, their clusters, the leader of each cluster, and the properties of each instance.
 *
 * <p>An application registers a {@link TopologyEventListener} to receive events, and a {@link PropertyProvider} to provide
 * properties. {@link DiscoveryService} returns the topology at any time.
 *
 * <p>The types, their members and the package version are those of release 1.0.6 of the Apache Sling Discovery API, so that a
 * bundle compiled against that release runs on this one and the other way round. The version must stay 1.0.x: bundles that
 * implement a provider type of this package import {@code [1.0,1.1)}.
 *
 * <p>Where the Sling implementations and the Sling contract differ, this text describes this implementation.
 */
@Version("1.0.3")
package org.apache.sling.discovery;

import org.osgi.annotation.versioning.Version;
