// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.zk.cache.ClusterCache;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.apache.zookeeper.CreateMode;

/** Creates member nodes. None is created while parts of the tree are gone. */
final class Announcer {
    private final ClusterCache cache;
    private final Paths paths;
    private final Codecs codecs;

    Announcer(Paths paths, Codecs codecs, ClusterCache cache) {
        this.codecs = codecs;
        this.cache = cache;
        this.paths = paths;
    }

    CompletableFuture<String> announce(MemberRecord record) throws TooLarge {
        byte[] data = codecs.members().write(record);
        return cache.whenTreeComplete().thenCompose(mended -> create(cache.session(), data));
    }

    private CompletableFuture<String> create(Session session, byte[] data) {
        String path = paths.newMember(ThreadLocalRandom.current().nextLong(), codecs.formats());
        cache.ownNodes().add(Paths.nameOf(path));
        return session.create(path, data, CreateMode.EPHEMERAL_SEQUENTIAL);
    }
}
