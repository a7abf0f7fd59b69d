// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.LoggerFactory;

/** Reads the records of members that appear or change, those that wait together in one packet, as a real member does. */
final class LightRecords {
    private static final Paths PATHS = ZooKeeperStoreConfig.of("127.0.0.1").paths();
    private static final int RECORDS_OF_A_PACKET = 100;

    private final Reader reader;
    /** The members to be read next, and whether they have changed. */
    private final Map<String, Boolean> waiting = new LinkedHashMap<>();

    private boolean reading;
    private boolean stopped;

    /** Creates a reader of records that hands them over on the event thread of the client. */
    LightRecords(Reader reader) {
        this.reader = reader;
    }

    /** Reads the record of a member, now or with the next packet. */
    synchronized void read(ZooKeeper client, String node, boolean changed) {
        waiting.merge(node, changed, Boolean::logicalOr);
        readWaiting(client);
    }

    /** Reads nothing from now on. */
    synchronized void stop() {
        stopped = true;
    }

    private synchronized void readWaiting(ZooKeeper client) {
        if (reading || stopped || waiting.isEmpty()) {
            return;
        }
        List<String> nodes =
                waiting.keySet().stream().limit(RECORDS_OF_A_PACKET).toList();
        List<Boolean> changed = nodes.stream().map(waiting::remove).toList();
        reading = true;
        client.multi(
                nodes.stream().map(node -> Op.getData(PATHS.member(node))).toList(),
                (code, path, context, results) -> {
                    for (int i = 0; results != null && i < nodes.size(); i++) {
                        if (results.get(i) instanceof OpResult.GetDataResult found) {
                            handOver(found.getData(), changed.get(i));
                        }
                    }
                    end(client);
                },
                null);
    }

    private synchronized void end(ZooKeeper client) {
        reading = false;
        readWaiting(client);
    }

    private void handOver(byte[] bytes, boolean changed) {
        try {
            reader.take(Codecs.CURRENT.readMember(bytes), changed);
        } catch (Unreadable e) {
            LoggerFactory.getLogger(LightRecords.class).error("The record of a member cannot be read", e);
        }
    }

    /** Takes a record, and whether listeners of a real member would be notified of it. */
    interface Reader {
        void take(MemberRecord record, boolean changed);
    }
}
