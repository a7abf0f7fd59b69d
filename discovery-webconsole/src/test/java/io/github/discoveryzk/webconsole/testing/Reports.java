// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.Countdown;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.History;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.Recent;
import io.github.discoveryzk.report.Recent.Event;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreConnection;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.report.TopologyReport.Instances;
import io.github.discoveryzk.report.TopologyReport.Listener;
import io.github.discoveryzk.report.TopologyReport.Situation;
import io.github.discoveryzk.report.TopologyReport.Source;
import io.github.discoveryzk.report.TopologyReport.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reports to render. */
public final class Reports {
    /** 2026-11-21T10:00:00Z. */
    public static final long NOW = 1_795_255_200_000L;

    private static final OptionalLong A_WHILE_AGO = OptionalLong.of(NOW - 3_000);

    private Reports() {}

    /**
     * A settled report of one cluster of a number of instances, of which the second is the local one if there is a
     * second.
     */
    public static TopologyReport settled(int size) {
        List<Instance> instances = IntStream.rangeClosed(1, size)
                .mapToObj(i -> instance(i, size == 1 || i == 2, Map.of("name", "node " + i, "zone", "eu-west-" + i)))
                .toList();
        return report(State.SETTLED, "All " + size + " instances hold view 42.", instances);
    }

    /** A settled report of one instance with these properties. */
    public static TopologyReport alone(Map<String, String> properties) {
        return named(report(State.SETTLED, "It is alone.", List.of(instance(1, true, properties))));
    }

    public static TopologyReport in(State state, String sentence) {
        return report(
                state,
                sentence,
                settled(3).clusters().get(0).instances().stream()
                        .map(each -> instance(
                                each.position(),
                                each.local(),
                                each.properties(),
                                status(state, each.local()),
                                state.isHolding()))
                        .toList());
    }

    /** The state of an instance in the report of an instance that is in that state. */
    private static InstanceStatus status(State state, boolean local) {
        InstanceState known =
                switch (state) {
                    case SETTLED, SUSPENDED -> InstanceState.SETTLED;
                    case CONNECTING, CUT_OFF -> local ? InstanceState.CUT_OFF : InstanceState.UNKNOWN;
                    case EXCLUDED -> local ? InstanceState.EXCLUDED : InstanceState.MOVED_ON;
                    case CHANGING -> local ? InstanceState.ACKNOWLEDGED : InstanceState.AWAITED;
                    case JOINING -> local ? InstanceState.JOINING : InstanceState.MOVED_ON;
                    case REFUSED -> local ? InstanceState.REFUSED : InstanceState.MOVED_ON;
                    case QUARANTINED, STOPPED -> local ? InstanceState.GONE : InstanceState.MOVED_ON;
                };
        return known == InstanceState.SETTLED ? status(known) : status(known, "the reason of " + known);
    }

    private static InstanceStatus status(InstanceState state) {
        return InstanceStatus.of(state, OptionalLong.of(NOW - 185_000));
    }

    private static InstanceStatus status(InstanceState state, String why) {
        return InstanceStatus.of(state, A_WHILE_AGO, reason(why));
    }

    public static Reason reason(String text) {
        return Reason.of(ReasonCode.TEXT, text);
    }

    /** Before INIT: no view and no clusters. */
    public static TopologyReport before(State state, String sentence) {
        Instance refused =
                outsider(2, true, status(InstanceState.REFUSED, "Instance " + id(2) + " already runs on host-1."));
        TopologyReport report = Records.with(in(state, sentence), "view", Optional.empty());
        report = Records.with(report, "connection", Optional.empty());
        report = Records.with(report, "clusters", List.of());
        report = Records.with(report, "outsiders", List.of(refused));
        report = Records.with(report, "change", Optional.of(change("this instance was started")));
        report = Records.with(report, "lastChange", Optional.empty());
        report = Records.with(report, "listeners", List.of());
        report = Records.with(report, "recent", Recent.NOTHING);
        return Records.with(
                report,
                "noted",
                List.of(new Health.Finding(
                        Concern.IDENTITY,
                        Health.Severity.WARN,
                        "Two instances use one id. Delete sling.id.file in /opt/two and restart it.")));
    }

    private static ExplainedState status(State state, String sentence, Optional<Countdown> countdown) {
        return new ExplainedState(state, List.of(reason(sentence)), NOW - 3_000, countdown);
    }

    private static Change change(String cause) {
        return new Change(List.of(reason(cause)), NOW - 4_000);
    }

    /** A report in which every text is the given one. */
    public static TopologyReport hostile(String text) {
        Instance instance = Records.filled(Instance.class, text);
        instance = Records.with(instance, "wasLeader", false);
        instance = Records.with(instance, "sessionTimeoutMillis", 10_000);
        TopologyReport report = Records.filled(TopologyReport.class, text);
        report = Records.with(report, "clusters", List.of(new Cluster(text, true, List.of(instance), List.of())));
        History.Entry entry = Records.filled(History.Entry.class, text);
        Departure left = new Departure(new Incarnation(text + "-left", text), Optional.empty(), Optional.of(text), 0);
        report = with(report, new History(List.of(Records.with(entry, "left", List.of(left))), List.of(text)));
        report = Records.with(report, "connectors", RemoteReports.hostileConnectors(text));
        report = Records.with(report, "outsiders", List.of(outsider(instance)));
        report = Records.with(report, "recentlyLeft", List.of(outsider(instance)));
        Countdown countdown = new Countdown(text, NOW + 1);
        return Records.with(report, "status", status(State.SETTLED, text, Optional.of(countdown)));
    }

    /** A settled report with a history: an instance joins or leaves with each view; each fifth one is slow and excludes. */
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
        List<Incarnation> members = new ArrayList<>(IntStream.rangeClosed(1, size)
                .mapToObj(i -> new Incarnation("m-" + i, id(i)))
                .toList());
        Optional<EstablishedView> before = Optional.empty();
        Optional<Incarnation> away = Optional.empty();
        for (int number = 1; number <= views; number++) {
            boolean slow = number % 5 == 0;
            List<Departure> left = new ArrayList<>();
            Reason cause = Reason.of(
                    ReasonCode.JOINED, away.map(Incarnation::instanceId).orElse(id(1)));
            boolean leaves = size > 1 && number > 1 && away.isEmpty();
            if (away.isPresent()) {
                String id = away.get().instanceId();
                members.add(new Incarnation("m-" + id + "-" + number, id));
            }
            away = leaves ? Optional.of(members.remove(number / 2 % size)) : Optional.empty();
            if (leaves && slow) {
                cause = Reason.late(ReasonCode.LATE, Map.of(away.get().instanceId(), "com.example.Jobs"));
            } else if (leaves) {
                boolean evicted = number % 4 == 0;
                left.add(new Departure(
                        away.get(),
                        evicted ? Optional.of(Kind.EVICTED) : Optional.empty(),
                        evicted ? Optional.of(id(1)) : Optional.empty(),
                        0));
                cause = Reason.of(left.get(0));
            }
            EstablishedView view = view(number, members, before, cause);
            HistoryEntry entry = new HistoryEntry(
                    ViewDifference.between(before, view), left, NOW - 60_000L * (views - number), slow ? 30_000 : 40);
            entries.add(0, new History.Entry(entry, members));
            before = Optional.of(view);
        }
        return entries;
    }

    /** A view with that number; its first member has led since. */
    public static EstablishedView view(long number, List<Incarnation> members) {
        return view(number, members, Optional.empty(), Reason.of(ReasonCode.JOINED, id(1)));
    }

    private static EstablishedView view(
            long number, List<Incarnation> members, Optional<EstablishedView> before, Reason cause) {
        long token = before.filter(view -> view.leader().equals(members.get(0)))
                .map(EstablishedView::token)
                .orElse(number);
        ViewHead head = new ViewHead(number, number - 1, token, 10_000, NOW - 7_200_000, List.of(cause), id(1));
        return new EstablishedView(head, members, Set.of());
    }

    /** Twelve nodes, of which some have other rights, with a text of unknown origin. */
    public static StoreAccess access(int differing, String text) {
        StoreAccess.DifferingNode node =
                new StoreAccess.DifferingNode("/sling/" + text, "world:anyone:cdrwa", Optional.of(text));
        List<StoreAccess.DifferingNode> nodes = Collections.nCopies(differing, node);
        return new StoreAccess("creator", "x509:CN=" + text, 12, 0, differing, nodes);
    }

    /** Returns a report with access rights. */
    public static TopologyReport with(TopologyReport report, StoreAccess access) {
        return Records.with(report, "situation", Records.with(report.situation(), "access", Optional.of(access)));
    }

    /** The nodes of a cluster and a foreign one; there are more. */
    public static StoreTree tree() {
        List<StoreTree.Field> fields = IntStream.rangeClosed(1, 60)
                .mapToObj(i -> new StoreTree.Field("properties.p" + i, "value " + i))
                .toList();
        String cluster = "/sling/discovery/clusters/main";
        String broken = "This is no record: it does not begin with a format number.";
        return new StoreTree(
                NOW,
                List.of(
                        node("/sling/discovery", "root", "", List.of(new StoreTree.Field("format", "1")), ""),
                        node("/sling/discovery/x\u001b\n", "foreign", "0x100", List.of(), "It is broken."),
                        node("/sling/discovery/clusters", "clusters", "", List.of(), ""),
                        node(cluster, "cluster", "", List.of(new StoreTree.Field("id", "5d0f2f5e")), ""),
                        node(cluster + "/members", "members", "", List.of(), ""),
                        node(cluster + "/members/m-1", "member", "0x100004d3f2a0001", fields, ""),
                        node(cluster + "/members/m-2", "member", "0x100004d3f2a0002", List.of(), broken)),
                false);
    }

    private static StoreTree.Node node(
            String path, String kind, String owner, List<StoreTree.Field> record, String problem) {
        StoreTree.Stat stat = new StoreTree.Stat(123, "0x2a", NOW - 5_000, NOW - 4_000, 3);
        return new StoreTree.Node(path, kind, present(owner), stat, record, present(problem));
    }

    private static Optional<String> present(String text) {
        return Optional.of(text).filter(given -> !given.isEmpty());
    }

    /** A tree in which every text is the given one. */
    public static StoreTree hostileTree(String text) {
        return Records.filled(StoreTree.class, text);
    }

    public static Instance instance(int position, boolean local, Map<String, String> properties) {
        return instance(position, local, properties, status(InstanceState.SETTLED), true);
    }

    /** An instance in a state, of which the first one leads, or led if the view is not current. */
    public static Instance instance(
            int position, boolean local, Map<String, String> properties, InstanceStatus status, boolean current) {
        ProcessInfo process = new ProcessInfo(
                "run",
                "host-" + position,
                4_710 + position,
                "/opt/" + position,
                NOW - 3_600_000L * position,
                "quietMillis=0",
                "boot pid net",
                "4711/1",
                "10.0.0." + position + ":7951");
        Member member = new Member(
                "m-000000000" + position,
                position,
                NOW - 3_000_000L * position,
                0x100004d3f2a0000L + position,
                MemberRecord.of(id(position), process, properties).withSessionTimeout(10_000));
        return new Instance(position, member, status, position == 1 && current, position == 1 && !current, local);
    }

    /** An instance outside the view, which has no position. */
    public static Instance outsider(int number, boolean local, InstanceStatus status) {
        return outsider(instance(number, local, Map.of(), status, true));
    }

    private static Instance outsider(Instance inside) {
        return new Instance(0, inside.member(), inside.status(), false, false, inside.local());
    }

    /**
     * A change in which each instance has another state: instance 1 led and is gone, 2 is the local one and has
     * acknowledged, 3 is awaited, 4 cannot be known, 5 joins, 6 is refused, 7 was excluded, and 8 left before.
     */
    public static TopologyReport changing() {
        InstanceStatus gone = status(InstanceState.GONE, "its session ended");
        InstanceStatus awaited = new InstanceStatus(
                InstanceState.AWAITED,
                List.of(Reason.of(ReasonCode.AWAITED, 42)),
                Optional.of("com.example.Jobs of bundle com.example.jobs (service 17)"),
                A_WHILE_AGO);
        InstanceStatus excluded = new InstanceStatus(
                InstanceState.EXCLUDED,
                List.of(Reason.of(ReasonCode.WAS_LATE, id(7))),
                Optional.of("com.example.Mail of bundle com.example.mail (service 18)"),
                OptionalLong.of(NOW - 60_000));
        List<Instance> members = List.of(
                instance(1, false, name("author-1"), gone, false),
                instance(2, true, name("author-2"), unsince(InstanceState.ACKNOWLEDGED), false),
                instance(3, false, name("publish-1"), awaited, false),
                instance(4, false, name("publish-2"), unsince(InstanceState.UNKNOWN, ReasonCode.NOT_READ), false));
        InstanceStatus joining = InstanceStatus.of(InstanceState.JOINING, A_WHILE_AGO, Reason.of(ReasonCode.WAITS));
        InstanceStatus refused = InstanceStatus.of(
                InstanceState.REFUSED,
                OptionalLong.of(NOW - 9_000),
                Reason.of(ReasonCode.ID_IS_HELD, 4_712, "host-2", "/opt/2"));
        String sentence = "waiting for publish-1 to acknowledge view 42";
        Optional<Countdown> countdown =
                Optional.of(new Countdown("members that have not acknowledged are excluded in", NOW + 27_000));
        TopologyReport report = Records.with(
                report(State.CHANGING, sentence, members), "status", status(State.CHANGING, sentence, countdown));
        report = withOutsiders(report, List.of(outsider(5, false, joining), outsider(6, false, refused)));
        report = Records.with(report, "recentlyLeft", List.of(outsider(7, false, excluded), outsider(8, false, gone)));
        List<Reason> cause = List.of(Reason.of(ReasonCode.SESSION_ENDED, id(1)), Reason.of(ReasonCode.JOINS, id(5)));
        report = Records.with(report, "change", Optional.of(new Change(cause, NOW - 3_000)));
        return named(report);
    }

    private static InstanceStatus unsince(InstanceState state, ReasonCode... why) {
        return InstanceStatus.of(
                state, OptionalLong.empty(), Stream.of(why).map(Reason::of).toArray(Reason[]::new));
    }

    /** A change that waits for so many instances, all for the same reason. */
    public static TopologyReport awaiting(int size) {
        InstanceStatus awaited = status(InstanceState.AWAITED, "has not acknowledged");
        return report(
                State.CHANGING,
                "waiting",
                IntStream.rangeClosed(1, size)
                        .mapToObj(i -> instance(i, false, Map.of(), awaited, false))
                        .toList());
    }

    public static TopologyReport withOutsiders(TopologyReport report, List<Instance> outsiders) {
        return Records.with(report, "outsiders", outsiders);
    }

    /** A report that knows the names of the instances in its clusters. */
    static TopologyReport named(TopologyReport report) {
        Map<String, String> names = new HashMap<>(report.names().byId());
        report.clusters().forEach(cluster -> cluster.instances()
                .forEach(instance -> instance.name().ifPresent(name -> names.put(instance.id(), name))));
        return Records.with(report, "names", InstanceNames.of(names));
    }

    private static Map<String, String> name(String name) {
        return Map.of(InstanceNames.PROPERTY, name);
    }

    public static String id(int number) {
        return String.format("a3f0c1d2-0000-4000-8000-%012d", number);
    }

    private static TopologyReport report(State state, String sentence, List<Instance> instances) {
        boolean current = state.isHolding();
        List<Reason> joined = List.of(reason("Instance 3 joined."));
        EstablishedView view = new EstablishedView(
                new ViewHead(42, 41, 17, 10_000, NOW - 7_200_000, joined, id(1)),
                instances.stream().map(each -> each.member().incarnation()).toList(),
                Set.of());
        Listener jobs =
                new Listener("com.example.Jobs (bundle com.example.jobs)", current ? 0 : 2, current ? 0 : 3_200);
        Situation situation = new Situation(
                new ExplainedState(state, List.of(reason(sentence)), NOW - 185_000, Optional.empty()),
                Optional.of(new StoreConnection(
                        "0x100004d3f2a0001", 10_000, true, OptionalLong.of(2), OptionalLong.of(NOW - 1_200))),
                Optional.of(new View(view, current, NOW - 185_000)),
                current ? Optional.empty() : Optional.of(change("the cause of this change")),
                Optional.of(new Change.Settled(42, joined, NOW - 186_000, NOW - 185_000)),
                List.of(jobs, new Listener("com.example.Mail (bundle com.example.mail)", 0, 0)),
                Optional.of(access(0, sentence)));
        Recent recent = new Recent(
                List.of(new Event(NOW - 185_000, "TOPOLOGY_CHANGED", 42, joined)),
                List.of(
                        status(State.SETTLED, "View 42 is established.", Optional.empty()),
                        status(State.CHANGING, "Instance 3 has come; waiting for 2 instances.", Optional.empty())));
        Cluster cluster = new Cluster("5d0f2f5e-1111-4222-8333-944445555666", true, instances, List.of());
        String localId = instances.get(instances.size() == 1 ? 0 : 1).id();
        return new TopologyReport(
                new Source(NOW, 1, localId, "main at zk1:2181,zk2:2181/sling/discovery"),
                situation,
                new Instances(List.of(cluster), List.of(), List.of(), InstanceNames.NONE),
                ConnectorReport.NONE,
                recent,
                History.UNREAD,
                List.of());
    }
}
