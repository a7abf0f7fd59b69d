// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.History.Departed;
import org.apache.sling.discovery.commons.report.History.Participant;
import org.apache.sling.discovery.commons.report.IfStopped;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Connection;
import org.apache.sling.discovery.commons.report.TopologyReport.Countdown;
import org.apache.sling.discovery.commons.report.TopologyReport.Event;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.PropertyChange;
import org.apache.sling.discovery.commons.report.TopologyReport.Recent;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.commons.report.TopologyReport.Transition;
import org.apache.sling.discovery.commons.report.TopologyReport.View;

/** Reports to render. */
public final class Reports {
    /** 2026-11-21T10:00:00Z. */
    public static final long NOW = 1_795_255_200_000L;

    private Reports() {}

    /**
     * A settled report of one cluster of a number of instances, of which the second is the local one if there is a
     * second.
     */
    public static TopologyReport settled(int size) {
        List<Instance> instances = IntStream.rangeClosed(1, size)
                .mapToObj(i -> instance(i, size == 1 || i == 2, Map.of("name", "node " + i, "zone", "eu-west-" + i)))
                .toList();
        return report(State.SETTLED, "All " + size + " instances hold view 42.", true, instances);
    }

    /** A settled report of one instance with these properties. */
    public static TopologyReport alone(Map<String, String> properties) {
        Instance instance = instance(1, true, properties);
        Map<String, String> names =
                instance.name().map(name -> Map.of(id(1), name)).orElse(Map.of());
        return Records.with(
                report(State.SETTLED, "It is alone.", true, List.of(instance)), "names", new InstanceNames(names));
    }

    public static TopologyReport in(State state, String sentence) {
        boolean current = state == State.SETTLED || state == State.SUSPENDED;
        List<Instance> instances = settled(3).clusters().get(0).instances().stream()
                .map(instance -> instance(
                        instance.position(),
                        instance.local(),
                        instance.properties(),
                        status(state, instance.local()),
                        current))
                .toList();
        return report(state, sentence, current, instances);
    }

    /** The state of an instance in the report of an instance that is in that state. */
    private static InstanceStatus status(State state, boolean local) {
        InstanceState known =
                switch (state) {
                    case SETTLED, SUSPENDED -> InstanceState.SETTLED;
                    case CONNECTING, CUT_OFF -> local ? InstanceState.CUT_OFF : InstanceState.UNKNOWN;
                    case LEFT_OUT -> local ? InstanceState.LEFT_OUT : InstanceState.MOVED_ON;
                    case CHANGING -> local ? InstanceState.ACKNOWLEDGED : InstanceState.AWAITED;
                    case JOINING -> local ? InstanceState.JOINING : InstanceState.MOVED_ON;
                    case REFUSED -> local ? InstanceState.REFUSED : InstanceState.MOVED_ON;
                    case QUARANTINED, STOPPED -> local ? InstanceState.GONE : InstanceState.MOVED_ON;
                };
        String reason = known == InstanceState.SETTLED ? "" : "the reason of " + known;
        return InstanceStatus.of(known, reason, NOW - 185_000);
    }

    /** Before INIT: no view and no clusters. */
    public static TopologyReport before(State state, String sentence) {
        InstanceStatus refused =
                InstanceStatus.of(InstanceState.REFUSED, "Instance " + id(2) + " already runs on host-1.", NOW - 4_000);
        Change started = change("this instance was started", sentence);
        TopologyReport report = Records.with(settled(2), "status", status(state, sentence, Optional.empty()));
        report = Records.with(report, "connection", Optional.empty());
        report = Records.with(report, "view", Optional.empty());
        report = Records.with(report, "clusters", List.of());
        report = Records.with(report, "outsiders", List.of(outsider(2, true, refused)));
        report = Records.with(report, "change", Optional.of(started));
        report = Records.with(report, "lastChange", Optional.empty());
        report = Records.with(report, "listeners", List.of());
        report = Records.with(report, "recent", Recent.NOTHING);
        return Records.with(
                report,
                "problems",
                List.of("Two instances use one id. Delete sling.id.file in /opt/two and restart it."));
    }

    private static Status status(State state, String sentence, Optional<Countdown> countdown) {
        return new Status(state, sentence, NOW - 3_000, countdown);
    }

    private static Change change(String cause, String next) {
        return new Change(cause, NOW - 4_000, List.of(), List.of(), List.of(), List.of(), next, Optional.empty());
    }

    /** A listener has been busy for 12 s. */
    public static TopologyReport hanging(String name) {
        TopologyReport report = Records.with(settled(1), "status", status(State.CHANGING, "waiting", Optional.empty()));
        return Records.with(report, "listeners", List.of(new Listener(name, 1, 12_000)));
    }

    /** A report in which every text is the given one. */
    public static TopologyReport hostile(String text) {
        Instance instance = Records.filled(Instance.class, text);
        instance = Records.with(instance, "console", Optional.of("http://" + text));
        instance = Records.with(instance, "wasLeader", false);
        instance = Records.with(instance, "sessionTimeoutMillis", 10_000);
        TopologyReport report = Records.filled(TopologyReport.class, text);
        report = Records.with(report, "clusters", List.of(new Cluster(text, true, List.of(instance))));
        report = Records.with(report, "connectors", RemoteReports.hostileConnectors(text));
        report = Records.with(report, "outsiders", List.of(outsider(instance)));
        report = Records.with(report, "recentlyLeft", List.of(outsider(instance)));
        Countdown countdown = new Countdown(text, NOW + 1);
        return Records.with(report, "status", status(State.SETTLED, text, Optional.of(countdown)));
    }

    /** A settled report with a history: an instance joins or leaves with each view, and each fifth one is slow. */
    public static TopologyReport withHistory(int size, int views) {
        return with(settled(size), new History(history(size, views), List.of()));
    }

    public static TopologyReport with(TopologyReport report, History history) {
        return Records.with(report, "history", history);
    }

    public static TopologyReport revised(TopologyReport report, long revision) {
        return Records.with(report, "revision", revision);
    }

    /** Views 1 to n, newest first: instance (view modulo size) leaves and rejoins with the next view. */
    private static List<History.Entry> history(int size, int views) {
        List<History.Entry> entries = new ArrayList<>();
        List<Participant> members = new ArrayList<>(IntStream.rangeClosed(1, size)
                .mapToObj(i -> new Participant(id(i), "m-" + i))
                .toList());
        Optional<Participant> away = Optional.empty();
        long token = 1;
        for (int number = 1; number <= views; number++) {
            List<Participant> joined = new ArrayList<>(number == 1 ? members : List.of());
            List<Departed> left = new ArrayList<>();
            if (away.isPresent()) {
                Participant back =
                        new Participant(away.get().id(), "m-" + away.get().id() + "-" + number);
                members.add(back);
                joined.add(back);
                away = Optional.empty();
            } else if (number > 1 && size > 1) {
                Participant gone = members.remove(number / 2 % size);
                left.add(new Departed(
                        gone,
                        number % 4 == 0 ? Optional.of("evicted") : Optional.empty(),
                        number % 4 == 0 ? Optional.of(id(1)) : Optional.empty(),
                        gone.id() + (number % 4 == 0 ? " was evicted" : " lost its session")));
                away = Optional.of(gone);
                token = gone.equals(entries.get(0).members().get(0)) ? number : token;
            }
            entries.add(
                    0,
                    new History.Entry(
                            number,
                            number - 1,
                            token,
                            NOW - 60_000L * (views - number),
                            NOW - 60_000L * (views - number),
                            number % 5 == 0 ? 30_000 : 40,
                            members.get(0).id(),
                            members.get(0).id(),
                            members.size(),
                            List.copyOf(members),
                            joined,
                            left,
                            number % 5 == 0 ? List.of("listener com.example.Jobs of " + id(2)) : List.of(),
                            joined.isEmpty()
                                    ? left.get(0).words()
                                    : joined.get(0).id() + " joined"));
        }
        return entries;
    }

    public static StoreTree tree() {
        return new StoreTree(
                NOW - 500,
                List.of(
                        node("/sling/discovery", "root", Optional.empty(), List.of(), Optional.empty()),
                        node("/sling/discovery/clusters", "clusters", Optional.empty(), List.of(), Optional.empty()),
                        node(
                                "/sling/discovery/clusters/main",
                                "cluster",
                                Optional.empty(),
                                List.of(new StoreTree.Field("id", "5d0f2f5e")),
                                Optional.empty()),
                        node(
                                "/sling/discovery/clusters/main/members",
                                "members",
                                Optional.empty(),
                                List.of(),
                                Optional.empty()),
                        node(
                                "/sling/discovery/clusters/main/members/m-1",
                                "member",
                                Optional.of("0x100004d3f2a0001"),
                                IntStream.rangeClosed(1, 60)
                                        .mapToObj(i -> new StoreTree.Field("properties.p" + i, "value " + i))
                                        .toList(),
                                Optional.empty()),
                        node(
                                "/sling/discovery/clusters/main/members/m-2",
                                "member",
                                Optional.of("0x100004d3f2a0002"),
                                List.of(),
                                Optional.of("This is no record: it does not begin with a format number."))),
                false);
    }

    /** A complete tree with a node of this project and a foreign one. */
    public static StoreTree smallTree() {
        return new StoreTree(
                NOW,
                List.of(
                        new StoreTree.Node(
                                "/sling/discovery",
                                "root",
                                Optional.empty(),
                                12,
                                "0x1",
                                NOW - 5_000,
                                NOW - 4_000,
                                3,
                                List.of(new StoreTree.Field("format", "1")),
                                Optional.empty()),
                        new StoreTree.Node(
                                "/sling/discovery/x\u001b\n",
                                "foreign",
                                Optional.of("0x100"),
                                0,
                                "0x2",
                                NOW - 5_000,
                                NOW - 4_000,
                                0,
                                List.of(),
                                Optional.of("It is broken."))),
                false);
    }

    private static StoreTree.Node node(
            String path, String kind, Optional<String> owner, List<StoreTree.Field> record, Optional<String> problem) {
        return new StoreTree.Node(path, kind, owner, 123, "0x2a", NOW - 5_000, NOW - 4_000, 3, record, problem);
    }

    /** A tree in which every text is the given one. */
    public static StoreTree hostileTree(String text) {
        return Records.filled(StoreTree.class, text);
    }

    public static Instance instance(int position, boolean local, Map<String, String> properties) {
        return instance(position, local, properties, InstanceStatus.of(InstanceState.SETTLED, "", NOW - 185_000), true);
    }

    /** An instance in a state, of which the first one leads, or led if the view is not current. */
    public static Instance instance(
            int position, boolean local, Map<String, String> properties, InstanceStatus status, boolean current) {
        Optional<String> name = InstanceNames.name(properties);
        return new Instance(
                position,
                id(position),
                name,
                InstanceNames.label(id(position), name),
                status,
                position == 1 && current,
                position == 1 && !current,
                local,
                "m-000000000" + position,
                "host-" + position,
                4_710 + position,
                "/opt/" + position,
                NOW - 3_600_000L * position,
                NOW - 3_000_000L * position,
                Optional.empty(),
                "0x100004d3f2a000" + position,
                10_000,
                properties);
    }

    /** An instance outside the view, which has no position. */
    public static Instance outsider(int number, boolean local, InstanceStatus status) {
        return outsider(instance(number, local, Map.of(), status, true));
    }

    private static Instance outsider(Instance inside) {
        return Records.with(Records.with(Records.with(inside, "position", 0), "leader", false), "wasLeader", false);
    }

    /**
     * A change in which each instance has another state: instance 1 led and is gone, 2 is the local one and has
     * acknowledged, 3 is awaited, 4 cannot be known, 5 joins, 6 is refused, 7 was left out, and 8 left before.
     */
    public static TopologyReport changing() {
        InstanceStatus gone = InstanceStatus.of(InstanceState.GONE, "its session ended", NOW - 3_000);
        InstanceStatus acknowledged =
                new InstanceStatus(InstanceState.ACKNOWLEDGED, "", Optional.empty(), OptionalLong.empty());
        InstanceStatus awaited = new InstanceStatus(
                InstanceState.AWAITED,
                "has not acknowledged that view 42 is over",
                Optional.of("com.example.Jobs of bundle com.example.jobs (service 17)"),
                OptionalLong.of(NOW - 3_000));
        InstanceStatus unknown = new InstanceStatus(
                InstanceState.UNKNOWN,
                "this instance has not read the acknowledgements yet",
                Optional.empty(),
                OptionalLong.empty());
        InstanceStatus joining =
                InstanceStatus.of(InstanceState.JOINING, "waits to be admitted to the next view", NOW - 1_000);
        InstanceStatus refused = InstanceStatus.of(
                InstanceState.REFUSED,
                "its instance id is held by process 4712 on host host-2, home /opt/2, so it is refused",
                NOW - 9_000);
        InstanceStatus leftOut = new InstanceStatus(
                InstanceState.LEFT_OUT,
                "did not acknowledge in time; it rejoins at the end when its listeners have returned",
                Optional.of("com.example.Mail of bundle com.example.mail (service 18)"),
                OptionalLong.of(NOW - 60_000));
        List<Instance> members = List.of(
                instance(1, false, named("author-1"), gone, false),
                instance(2, true, named("author-2"), acknowledged, false),
                instance(3, false, named("publish-1"), awaited, false),
                instance(4, false, named("publish-2"), unknown, false));
        List<Instance> outsiders = List.of(outsider(5, false, joining), outsider(6, false, refused));
        List<Instance> left = List.of(outsider(7, false, leftOut), outsider(8, false, gone));
        TopologyReport base =
                report(State.CHANGING, "waiting for publish-1 (a3f0c1d2) to acknowledge view 42", false, members);
        Map<String, String> names = new HashMap<>();
        members.forEach(member -> names.put(member.id(), member.name().orElseThrow()));
        Optional<Countdown> countdown = Optional.of(new Countdown("left out in", NOW + 27_000));
        Change change = new Change(
                "author-1 (a3f0c1d2) left because its session ended; " + id(5) + " joins",
                NOW - 3_000,
                List.of(concerned(members.get(0))),
                List.of(concerned(outsiders.get(0))),
                List.of(concerned(members.get(2))),
                List.of(concerned(members.get(1))),
                base.status().sentence(),
                countdown);
        IfStopped ifStopped =
                new IfStopped(false, Optional.of(id(3)), List.of(), "publish-1 (a3f0c1d2) stays the leader");
        TopologyReport report = Records.with(
                base, "status", status(State.CHANGING, base.status().sentence(), countdown));
        report = Records.with(report, "outsiders", outsiders);
        report = Records.with(report, "recentlyLeft", left);
        report = Records.with(report, "change", Optional.of(change));
        report = Records.with(report, "ifStopped", Optional.of(ifStopped));
        return Records.with(report, "names", new InstanceNames(names));
    }

    /** A change that waits for so many instances, all for the same reason. */
    public static TopologyReport awaiting(int size) {
        TopologyReport report = settled(size);
        InstanceStatus awaited = InstanceStatus.of(InstanceState.AWAITED, "has not acknowledged", NOW - 3_000);
        List<Change.Concerned> all = report.clusters().get(0).instances().stream()
                .map(each -> new Change.Concerned(each.id(), each.label(), awaited))
                .toList();
        TopologyReport changing = Records.with(report, "status", status(State.CHANGING, "waiting", Optional.empty()));
        return Records.with(changing, "change", Optional.of(Records.with(change("why", "waiting"), "awaited", all)));
    }

    public static TopologyReport withOutsiders(TopologyReport report, List<Instance> outsiders) {
        return Records.with(report, "outsiders", outsiders);
    }

    private static Change.Concerned concerned(Instance instance) {
        return new Change.Concerned(instance.id(), instance.label(), instance.status());
    }

    private static Map<String, String> named(String name) {
        return Map.of(InstanceNames.PROPERTY, name);
    }

    public static String id(int number) {
        return String.format("a3f0c1d2-0000-4000-8000-%012d", number);
    }

    private static TopologyReport report(State state, String sentence, boolean current, List<Instance> instances) {
        List<Cluster> clusters = new ArrayList<>();
        clusters.add(new Cluster("5d0f2f5e-1111-4222-8333-944445555666", true, instances));
        return new TopologyReport(
                NOW,
                1,
                new Status(state, sentence, NOW - 185_000, Optional.empty()),
                instances.get(instances.size() == 1 ? 0 : 1).id(),
                "main at zk1:2181,zk2:2181/sling/discovery",
                Optional.of(new Connection(
                        "0x100004d3f2a0001", 10_000, true, OptionalLong.of(2), OptionalLong.of(NOW - 1_200))),
                Optional.of(new View(
                        42,
                        17,
                        instances.get(0).id(),
                        instances.get(0).label(),
                        NOW - 7_200_000,
                        current,
                        NOW - 185_000,
                        "Instance 3 joined.")),
                clusters,
                ConnectorReport.NONE,
                List.of(),
                List.of(),
                change(state, sentence),
                Optional.of(new Change.Settled(42, "Instance 3 joined.", NOW - 186_000, NOW - 185_000)),
                Optional.empty(),
                InstanceNames.NONE,
                List.of(
                        new Listener(
                                "com.example.Jobs (bundle com.example.jobs)", current ? 0 : 2, current ? 0 : 3_200),
                        new Listener("com.example.Mail (bundle com.example.mail)", 0, 0)),
                new Recent(
                        List.of(new Event(NOW - 185_000, "TOPOLOGY_CHANGED", 42, "Instance 3 joined.")),
                        List.of(
                                new Transition(NOW - 185_000, State.SETTLED, "View 42 is established."),
                                new Transition(
                                        NOW - 186_000,
                                        State.CHANGING,
                                        "Instance 3 has come; waiting for 2 instances.")),
                        List.of(new PropertyChange(
                                NOW - 60_000, id(1), "color", Optional.of("red"), Optional.of("blue")))),
                History.UNREAD,
                List.of());
    }

    private static Optional<Change> change(State state, String sentence) {
        return state == State.SETTLED || state == State.SUSPENDED
                ? Optional.empty()
                : Optional.of(change("the cause of this change", sentence));
    }
}
