// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.zk.tree.AcknowledgementName;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.DepartureNoteName;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
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
 * of the present members when it connects, it decodes no record, and it learns the content of views from {@link LightViews}.
 *
 * <p>The events of the client and the shared views arrive on different threads, so all state is guarded by the member itself.
 */
final class LightMember implements Member {
    private static final Logger LOG = LoggerFactory.getLogger(LightMember.class);
    private static final byte[] VOID_UP_TO = "\"voidUpTo\":".getBytes(StandardCharsets.UTF_8);
    private static final byte[] PROPERTY = ("\"" + DiscoveryMember.PROPERTY + "\":\"").getBytes(StandardCharsets.UTF_8);
    private static final int CONNECT_SECONDS = 60;
    private static final int RECORDS_OF_A_PACKET = 100;

    private final String id;
    private final String connectString;
    private final Recorder recorder;
    private final Paths paths;
    private final LightViews views;
    private final ScheduledExecutorService timer;
    private final Set<String> members = new HashSet<>();

    /** The members to be read next, and whether listeners of a real member would be told. */
    private final Map<String, Boolean> waiting = new LinkedHashMap<>();

    private boolean reading;

    private ZooKeeper client;
    private Future<?> probes;
    private LightViews.View view = LightViews.View.NONE;
    /** The {@linkplain LightViews#sum sum} of the members. */
    private long sum;

    /** The highest number whose history entry has been asked for; each publication causes one event. */
    private long asked;

    private String node = "";
    private long voidUpTo;
    private long acknowledged;
    private String acknowledgement = "";
    private boolean left;

    LightMember(
            String id,
            String connectString,
            Recorder recorder,
            Paths paths,
            LightViews views,
            ScheduledExecutorService timer) {
        this.id = id;
        this.connectString = connectString;
        this.recorder = recorder;
        this.paths = paths;
        this.views = views;
        this.timer = timer;
    }

    @Override
    public void connect() throws Exception {
        ZooKeeper connected = Client.connect(connectString);
        synchronized (this) {
            client = connected;
        }
        connected.addWatch(paths.members(), this::process, AddWatchMode.PERSISTENT_RECURSIVE);
        connected.addWatch(paths.view(), this::process, AddWatchMode.PERSISTENT);
        refresh().get(CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    /** Reads what no event tells: at the beginning, and after a reconnect. */
    private synchronized CompletableFuture<Void> refresh() {
        CompletableFuture<Void> read = new CompletableFuture<>();
        client.getChildren(
                paths.members(),
                false,
                (code, path, context, children) -> {
                    if (code == Code.OK.intValue()) {
                        setMembers(children);
                    }
                },
                null);
        readView(read);
        return read;
    }

    private synchronized void setMembers(List<String> nodes) {
        members.clear();
        members.addAll(nodes);
        sum = LightViews.sum(nodes);
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
        } else if (path.equals(paths.view())) {
            readPublication();
        } else if (path.length() > paths.members().length()) {
            processMember(event.getType(), Paths.nameOf(path));
        }
    }

    private void processMember(EventType type, String name) {
        if (type == EventType.NodeDeleted) {
            if (members.remove(name)) {
                sum -= LightViews.value(name);
            }
        } else {
            if (members.add(name)) {
                sum += LightViews.value(name);
            }
            waiting.merge(name, type == EventType.NodeDataChanged, Boolean::logicalOr);
            if (!reading) {
                readWaiting();
            }
        }
        settle();
    }

    /** Reads the records that wait in one packet, as a real member does. */
    private void readWaiting() {
        List<String> names =
                waiting.keySet().stream().limit(RECORDS_OF_A_PACKET).toList();
        List<Boolean> changed = names.stream().map(waiting::remove).toList();
        reading = true;
        client.multi(
                names.stream().map(name -> Op.getData(paths.member(name))).toList(),
                (code, path, context, results) -> {
                    for (int i = 0; results != null && i < names.size(); i++) {
                        if (results.get(i) instanceof OpResult.GetDataResult found) {
                            processRecord(found.getData(), changed.get(i));
                        }
                    }
                    endReading();
                },
                null);
    }

    private synchronized void endReading() {
        reading = false;
        if (!waiting.isEmpty() && !left) {
            readWaiting();
        }
    }

    private synchronized void processRecord(byte[] record, boolean changed) {
        String number = Bytes.after(record, VOID_UP_TO, ",}");
        if (!number.isEmpty()) {
            voidUpTo = Math.max(voidUpTo, Long.parseLong(number));
            settle();
        }
        if (changed && isSettled()) {
            recorder.told(id, view.nodes().size(), Bytes.after(record, PROPERTY, "\""));
        }
    }

    /** Reads what a member of the view reads after a publication: the history entry. A newcomer reads the view. */
    private void readPublication() {
        if (!view.nodes().contains(node)) {
            readView(new CompletableFuture<>());
            return;
        }
        long next = Math.max(asked, view.number()) + 1;
        asked = next;
        client.getData(
                paths.historyEntry(HistoryEntryName.of(next)),
                false,
                (code, path, context, data, stat) -> {
                    if (code == Code.OK.intValue()) {
                        views.at(next, client).thenAccept(found -> found.ifPresent(this::setView));
                    } else {
                        readView(new CompletableFuture<>());
                    }
                },
                null);
    }

    private void readView(CompletableFuture<Void> done) {
        client.getData(
                paths.view(),
                false,
                (code, path, context, data, stat) -> {
                    try {
                        if (code == Code.OK.intValue()) {
                            setView(views.of(stat.getMzxid(), data));
                        }
                        done.complete(null);
                    } catch (Unreadable e) {
                        LOG.error("{} cannot read the view", id, e);
                        done.completeExceptionally(e);
                    }
                },
                null);
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

    private boolean isSettled() {
        return acknowledged < view.number()
                && voidUpTo < view.number()
                && sum == view.sum()
                && view.nodes().contains(node);
    }

    private void settle() {
        if (left || acknowledged >= view.number() || !view.nodes().contains(node)) {
            return;
        }
        if (isSettled()) {
            recorder.told(id, view.nodes().size(), "");
        } else {
            recorder.changing(id);
            acknowledge();
        }
    }

    private void acknowledge() {
        acknowledged = view.number();
        List<Op> operations = new ArrayList<>();
        if (!acknowledgement.isEmpty()) {
            operations.add(Op.delete(paths.ack(acknowledgement), -1));
        }
        acknowledgement = AcknowledgementName.of(new Acknowledgement(node, acknowledged));
        operations.add(Op.create(paths.ack(acknowledgement), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
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
                paths.newMember(ThreadLocalRandom.current().nextLong(), Codecs.CURRENT.formats()),
                Codecs.CURRENT.members().write(record("")),
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
        long pace = Client.SESSION_MILLIS / 3;
        probes = timer.scheduleAtFixedRate(this::probe, pace, pace, TimeUnit.MILLISECONDS);
    }

    private MemberRecord record(String value) {
        return MemberRecord.of(
                        id,
                        InstanceIdentity.ofThisProcess(id, Time.SYSTEM).process(),
                        Map.of(DiscoveryMember.PROPERTY, value))
                .withSessionTimeout(client.getSessionTimeout());
    }

    private synchronized void setNode(String name) {
        node = name;
        settle();
    }

    /** A real member proves in this way that the store replies to it. */
    private synchronized void probe() {
        if (!left) {
            client.exists(paths.members(), false, (code, path, context, stat) -> {}, null);
        }
    }

    @Override
    public synchronized void change(String value) throws TooLarge {
        client.setData(
                paths.member(node),
                Codecs.CURRENT.members().write(record(value)),
                -1,
                (code, path, context, stat) -> {},
                null);
    }

    @Override
    public void leave() throws Exception {
        Optional<String> noted;
        synchronized (this) {
            left = true;
            probes.cancel(false);
            noted = Optional.of(node).filter(view.nodes()::contains);
        }
        try {
            if (noted.isPresent()) {
                DepartureNote note = new DepartureNote(noted.get(), DepartureNote.Kind.STOPPED, noted.get());
                client.multi(List.of(
                        Op.delete(paths.member(node), -1),
                        Op.create(
                                paths.note(DepartureNoteName.of(note)),
                                new byte[0],
                                Ids.OPEN_ACL_UNSAFE,
                                CreateMode.PERSISTENT)));
            }
        } catch (KeeperException e) {
            LOG.error("{} cannot write its departure note", id, e);
        } finally {
            client.close();
        }
    }
}
