// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;

/**
 * The durable writes of the protocol and nothing else: a member node appears or vanishes, each survivor of the view writes an
 * acknowledgement, and the eldest member publishes the next view. Names tell everything, so nothing is read. There are no
 * leases, timeouts or listeners, so applications cannot use it.
 *
 * <p>All state is used on the event thread of the client only.
 */
final class ChainMember extends ClientMember {
    private static final String PUBLIC = "/public";
    private static final String MEMBERS = PUBLIC + "/members";
    private static final String VIEWS = PUBLIC + "/views";
    private static final String ACKNOWLEDGEMENTS = "/acks";

    private final TreeSet<String> members = new TreeSet<>(Comparator.comparingLong(ChainMember::sequence));
    private final Set<String> acknowledgements = new HashSet<>();
    /** The acknowledgements that the present change waits for, on the eldest member only. */
    private final Set<String> outstanding = new HashSet<>();

    private volatile String node = "";
    private View view = new View(0, -1, 0);
    private boolean current;
    private boolean collecting;
    private boolean collected;
    private long published;
    private Optional<String> acknowledged = Optional.empty();

    ChainMember(String id, String connectString, Recorder recorder) {
        super(id, connectString, recorder);
    }

    @Override
    public void connect() throws Exception {
        connectWith(PUBLIC, MEMBERS, VIEWS, ACKNOWLEDGEMENTS);
        client().addWatch(PUBLIC, this::process, AddWatchMode.PERSISTENT_RECURSIVE);
        list(VIEWS, children -> children.stream()
                .map(View::of)
                .filter(one -> one.number > view.number)
                .max(Comparator.comparingLong(View::number))
                .ifPresent(latest -> view = latest));
        list(MEMBERS, children -> {
                    members.clear();
                    members.addAll(children);
                })
                .get();
    }

    private void process(WatchedEvent event) {
        String path = event.getPath();
        if (path != null && path.startsWith(MEMBERS + "/")) {
            processMember(event.getType(), path.substring(MEMBERS.length() + 1));
        } else if (path != null && path.startsWith(VIEWS + "/") && event.getType() == EventType.NodeCreated) {
            view = View.of(path.substring(VIEWS.length() + 1));
            current = view.isOf(members);
            if (current) {
                String eldest = members.first();
                recorder.lead(eldest.substring(0, eldest.lastIndexOf('-')));
                recorder.notified(id, members.size(), "");
            }
            settle();
        }
    }

    private void processMember(EventType type, String name) {
        switch (type) {
            case NodeCreated -> {
                members.add(name);
                if (name.startsWith(id + "-")) {
                    node = name;
                }
            }
            case NodeDeleted -> {
                members.remove(name);
                if (name.equals(node)) {
                    node = "";
                }
            }
            default -> {
                client().getData(
                                MEMBERS + "/" + name,
                                false,
                                (code, path, context, data, stat) -> {
                                    if (data != null) {
                                        recorder.notified(id, members.size(), new String(data, StandardCharsets.UTF_8));
                                    }
                                },
                                null);
                return;
            }
        }
        if (current) {
            current = false;
            recorder.changing(id);
        }
        settle();
    }

    /** Writes what this member has to write while the view does not have the present members. */
    private void settle() {
        if (current || node.isEmpty()) {
            return;
        }
        if (view.contains(node)) {
            acknowledge(acknowledgement(node));
        }
        if (node.equals(members.first())) {
            coordinate();
        }
    }

    private void acknowledge(String name) {
        if (acknowledged.filter(name::equals).isEmpty()) {
            List<Op> operations = new ArrayList<>();
            operations.add(
                    Op.create(ACKNOWLEDGEMENTS + "/" + name, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
            acknowledged.ifPresent(earlier -> operations.add(Op.delete(ACKNOWLEDGEMENTS + "/" + earlier, -1)));
            acknowledged = Optional.of(name);
            client().multi(operations, (code, path, context, results) -> {}, null);
        }
    }

    private void coordinate() {
        if (!collecting) {
            collecting = true;
            client().addWatch(
                            ACKNOWLEDGEMENTS,
                            this::processAcknowledgement,
                            AddWatchMode.PERSISTENT_RECURSIVE,
                            (code, path, context) -> {},
                            null);
            list(ACKNOWLEDGEMENTS, children -> {
                acknowledgements.clear();
                acknowledgements.addAll(children);
                collected = true;
                coordinate();
            });
        }
        outstanding.clear();
        members.stream()
                .filter(view::contains)
                .map(this::acknowledgement)
                .filter(name -> !acknowledgements.contains(name))
                .forEach(outstanding::add);
        publishIfAcknowledged();
    }

    private void processAcknowledgement(WatchedEvent event) {
        String path = event.getPath();
        if (path != null && path.length() > ACKNOWLEDGEMENTS.length()) {
            String name = path.substring(ACKNOWLEDGEMENTS.length() + 1);
            if (event.getType() == EventType.NodeCreated) {
                acknowledgements.add(name);
                if (outstanding.remove(name)) {
                    publishIfAcknowledged();
                }
            } else {
                acknowledgements.remove(name);
            }
        }
    }

    private void publishIfAcknowledged() {
        if (!current && collected && published <= view.number && outstanding.isEmpty()) {
            View next = new View(view.number + 1, sequence(members.last()), members.size());
            published = next.number;
            create(VIEWS + "/" + next.name(), CreateMode.PERSISTENT);
        }
    }

    private String acknowledgement(String member) {
        return view.number + "-" + member;
    }

    @Override
    public void join() {
        create(MEMBERS + "/" + id + "-", CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    @Override
    public void change(String value) {
        write(MEMBERS + "/" + node, value);
    }

    private static long sequence(String name) {
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }

    /**
     * A view, as its name tells it.
     *
     * @param number its number
     * @param last the sequence number of its youngest member
     * @param size the number of its members
     */
    private record View(long number, long last, int size) {
        static View of(String name) {
            String[] parts = name.split("_");
            return new View(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
        }

        String name() {
            return number + "_" + last + "_" + size;
        }

        boolean contains(String member) {
            return sequence(member) <= last;
        }

        boolean isOf(TreeSet<String> members) {
            return members.size() == size && size > 0 && sequence(members.last()) == last;
        }
    }
}
