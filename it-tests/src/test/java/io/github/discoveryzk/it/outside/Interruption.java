// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.outside;

import io.github.discoveryzk.testing.server.TcpProxy;
import java.util.Collections;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;

/** A way to the server of all tests that can be interrupted, and access to its nodes that can be denied. */
public final class Interruption {

    private static TcpProxy proxy;

    private Interruption() {}

    /** Returns the address of the way for clients. */
    public static synchronized String address() {
        if (proxy == null) {
            proxy = new TcpProxy(Integer.parseInt(Server.address().replaceFirst(".*:", "")));
        }
        return proxy.address();
    }

    /** Closes all connections and accepts no new ones. */
    public static void cut() {
        proxy.cut();
    }

    /** Ends the interruption. */
    public static void restore() {
        proxy.restore();
    }

    /** Lets clients only read a node below a cluster, or do everything with it again. */
    public static void permit(String cluster, String node, boolean write) throws Exception {
        int permissions = write ? Perms.ALL : Perms.READ | Perms.ADMIN;
        Server.start()
                .with(administrator -> administrator.setACL(
                        "/sling/discovery/clusters/" + cluster + "/" + node,
                        // The client calls contains(null) on the list, which List.of does not support.
                        Collections.singletonList(new ACL(permissions, Ids.ANYONE_ID_UNSAFE)),
                        -1));
    }
}
