// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What can be configured. */
@ObjectClassDefinition(
        name = "Discovery ZooKeeper Server",
        description =
                "A ZooKeeper server in this container. All containers have the same list of servers; each finds its own"
                        + " entry by its addresses, and a container without an entry is a client only.")
@interface ServerConfig {

    @AttributeDefinition(
            name = "Servers",
            description =
                    "One, three or five entries host:port, separated by commas, the same text on all containers. The"
                            + " servers use the ports + 707 and + 1707 as well; host:clientPort:quorumPort:electionPort names others.")
    String servers() default "";

    @AttributeDefinition(
            name = "Data folder",
            description = "Where the server keeps its data. By default the folder discovery-zk-server in sling.home, in"
                    + " karaf.data, or in the storage of the framework.",
            required = false)
    String folder() default "";
}
