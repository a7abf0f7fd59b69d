// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Names;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of this project's protocol that costs as little as possible, for clusters with more members than the machine could
 * run. It has a session, a member node with a record, and the watches of a real member; it acknowledges each view that is void,
 * reads the record of a member that appears or changes and the history entry of a view that is published, probes the store at
 * the pace of a real member, and writes a departure note when it leaves. So the others wait for it as for any member.
 *
 * <p>It differs from a real member in this: it never coordinates, it has no listeners and no lease, it does not read the records
 * of the present members when it connects, and the members of a process share what they have decoded of views.
 *
 * <p>Events and calls arrive on different threads, so all state is guarded by the member itself.
 */
final class LightMember implements Member {
    private static final Logger LOG = LoggerFactory.getLogger(LightMember.class);
    private static final Paths PATHS = ZooKeeperStoreConfig.of("127.0.0.1").paths();
    private static final int CONNECT_SECONDS = 60;
    private static final long PACE_MILLIS = Client.SESSION_MILLIS / 3;
    private final String id;
    private final String connectString;
    private final Recorder recorder;
    private final LightViews shared;
    private final Set<String> members = new HashSet<>();
    private final LightRecords records = new LightRecords(this::processRecord);
    private volatile ZooKeeper client;
    private Future<?> probes;
    private LightViews.View view = LightViews.View.NONE;
    /** The highest number whose history entry has been asked for; each publication causes one event. */
    private long asked;

    private String node = "";
    private long voidUpTo;
    private Optional<Acknowledgement> acknowledged = Optional.empty();
    private boolean left;

    LightMember(String id, String connectString, Recorder recorder, LightViews shared) {
        this.id = id;
        this.connectString = connectString;
        this.recorder = recorder;
        this.shared = shared;
    }

    @Override
    public void connect() throws Exception {
        client = Client.connect(connectString);
        client.addWatch(PATHS.members(), this::process, AddWatchMode.PERSISTENT_RECURSIVE);
        client.addWatch(PATHS.view(), this::process, AddWatchMode.PERSISTENT);
        refresh().get(CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    /** Reads what no event reports: at the beginning, and after a reconnect. */
    private synchronized CompletableFuture<Void> refresh() {
        client.getChildren(
                PATHS.members(),
                false,
                (code, path, context, children) -> {
                    if (code == Code.OK.intValue()) {
                        setMembers(children);
                    }
                },
                null);
        return readView();
    }

    private synchronized void setMembers(List<String> nodes) {
        members.clear();
        members.addAll(nodes);
        settle();
    }

    private synchronized void process(WatchedEvent event) {
        String path = event.getPath();
        if (left) {
            return;
        }
        if (event.getType() == EventType.None) {
            if (event.getState() == KeeperState.SyncConnected) {
                refresh();
            } else if (event.getState() == KeeperState.Expired) {
                LOG.error("The session of {} has ended", id);
            }
        } else if (path.equals(PATHS.view())) {
            readPublication();
        } else if (path.length() > PATHS.members().length()) {
            processMember(event.getType(), Paths.nameOf(path));
        }
    }

    private void processMember(EventType type, String name) {
        if (type == EventType.NodeDeleted) {
            members.remove(name);
        } else {
            members.add(name);
            records.read(client, name, type == EventType.NodeDataChanged);
        }
        settle();
    }

    private synchronized void processRecord(MemberRecord record, boolean changed) {
        if (record.voidUpTo().orElse(0) > voidUpTo) {
            voidUpTo = record.voidUpTo().getAsLong();
            settle();
        }
        if (changed && isSettled()) {
            String value = record.properties().getOrDefault(DiscoveryMember.PROPERTY, "");
            recorder.notified(id, view.nodes().size(), value);
        }
    }

    /** Reads what a member of the view reads after a publication: the history entry. A newcomer reads the view. */
    private void readPublication() {
        if (!view.nodes().contains(node)) {
            readView();
            return;
        }
        long next = Math.max(asked, view.number()) + 1;
        asked = next;
        client.getData(
                PATHS.historyEntry(Names.entry(next)),
                false,
                (code, path, context, data, stat) -> applyEntry(next, data),
                null);
    }

    /** Takes the view that follows from a history entry; there is no data if the entry could not be read. */
    private synchronized void applyEntry(long number, byte[] entry) {
        if (number > view.number()) {
            Optional<LightViews.View> next =
                    entry == null || number > view.number() + 1 ? Optional.empty() : shared.next(view, entry);
            next.ifPresentOrElse(this::setView, this::readView);
        }
    }

    private CompletableFuture<Void> readView() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.getData(
                PATHS.view(),
                false,
                (code, path, context, data, stat) -> {
                    try {
                        if (code == Code.OK.intValue() && data.length > 0) {
                            setView(shared.view(Codecs.CURRENT.views().readView(data)));
                        }
                        done.complete(null);
                    } catch (Unreadable e) {
                        LOG.error("{} cannot read the view", id, e);
                        done.completeExceptionally(e);
                    }
                },
                null);
        return done;
    }

    private synchronized void setView(LightViews.View read) {
        if (read.number() > view.number()) {
            if (view.nodes().contains(node) && !read.nodes().contains(node) && !left) {
                LOG.error("{} is left out of view {}", id, read.number());
            }
            view = read;
            settle();
        }
    }

    private boolean hasAcknowledged() {
        return acknowledged.filter(one -> one.number() >= view.number()).isPresent();
    }

    private boolean isSettled() {
        return !hasAcknowledged()
                && voidUpTo < view.number()
                && members.equals(view.nodes())
                && view.nodes().contains(node);
    }

    private void settle() {
        if (left || hasAcknowledged() || !view.nodes().contains(node)) {
            return;
        }
        if (isSettled()) {
            recorder.notified(id, view.nodes().size(), "");
        } else {
            recorder.changing(id);
            acknowledge(new Acknowledgement(node, view.number()));
        }
    }

    private void acknowledge(Acknowledgement next) {
        List<Op> operations = new ArrayList<>();
        acknowledged.ifPresent(earlier -> operations.add(Op.delete(PATHS.ack(Names.acknowledgement(earlier)), -1)));
        acknowledged = Optional.of(next);
        operations.add(Op.create(
                PATHS.ack(Names.acknowledgement(next)), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
        client.multi(
                operations,
                (code, path, context, results) -> {
                    if (code != Code.OK.intValue()) {
                        LOG.error("{} cannot acknowledge: {}", id, Code.get(code));
                    }
                },
                null);
    }

    @Override
    public synchronized void join() throws TooLarge {
        client.create(
                PATHS.newMember(ThreadLocalRandom.current().nextLong(), Codecs.CURRENT.formats()),
                Codecs.CURRENT.write(record()),
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.EPHEMERAL_SEQUENTIAL,
                (code, path, context, name) -> {
                    if (code == Code.OK.intValue()) {
                        setNode(Paths.nameOf(name));
                    } else {
                        LOG.error("{} cannot announce itself: {}", id, Code.get(code));
                    }
                },
                null);
        Runnable probe = () -> client.exists(PATHS.members(), false, (code, path, context, stat) -> {}, null);
        probes = shared.timer.scheduleAtFixedRate(probe, PACE_MILLIS, PACE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private MemberRecord record() {
        return MemberRecord.of(
                        id,
                        InstanceIdentity.ofThisProcess(id, Time.SYSTEM).process(),
                        Map.of(DiscoveryMember.PROPERTY, ""))
                .withSessionTimeout(client.getSessionTimeout());
    }

    private synchronized void setNode(String name) {
        node = name;
        settle();
    }

    @Override
    public void change(String value) {
        throw new UnsupportedOperationException("only the leader changes its property, and a light member never leads");
    }

    @Override
    public void leave() throws Exception {
        Optional<String> noted;
        synchronized (this) {
            left = true;
            records.stop();
            probes.cancel(false);
            noted = Optional.of(node).filter(view.nodes()::contains);
        }
        try {
            if (noted.isPresent()) {
                String note = Names.note(new DepartureNote(noted.get(), DepartureNote.Kind.STOPPED, noted.get()));
                client.multi(List.of(
                        Op.delete(PATHS.member(node), -1),
                        Op.create(PATHS.note(note), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)));
            }
        } catch (KeeperException e) {
            LOG.error("{} cannot write its departure note", id, e);
        } finally {
            client.close();
        }
    }
}
