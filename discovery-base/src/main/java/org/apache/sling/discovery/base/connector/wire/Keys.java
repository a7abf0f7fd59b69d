// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

/** The keys of an announcement. */
final class Keys {
    static final String OWNER = "ownerId";
    static final String VERSION = "protocolVersion";
    static final String CREATED = "created";
    static final String INHERITED = "inherited";
    static final String LOOP = "loop";
    static final String SERVER_INFO = "serverInfo";
    static final String CLUSTER = "localClusterView";
    static final String BACKOFF = "backoffInterval";
    static final String RESET = "resetBackoff";
    static final String NESTED = "topologyAnnouncements";

    static final String ID = "id";
    static final String INSTANCES = "instances";

    static final String INSTANCE = "slingId";
    static final String LEADER = "isLeader";
    static final String CLUSTER_OF_INSTANCE = "cluster";
    static final String PROPERTIES = "properties";

    private Keys() {}
}
