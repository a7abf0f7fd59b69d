// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Section.Heading;
import io.github.discoveryzk.webconsole.content.Section.Note;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Span.TimeForm;
import io.github.discoveryzk.webconsole.content.Table;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The instances of the local cluster, those outside of the view, and what is known of each. */
public final class InstanceSections {
    /** When a cluster is stopped or started as a whole, all of its instances are outside for a while. */
    private static final int MAX_OUTSIDE = 50;

    private static final int REASON_LENGTH = 400;
    private static final int ROLES = 5;

    /** How much of the properties of an instance a user can search for. */
    private static final int FOUND_LENGTH = 2_000;

    /** The property with the version of the discovery bundle. */
    private static final String VERSION = "io.github.discoveryzk.version";

    /** What is known of an instance, in the order in which it is shown. */
    private static final List<Trait> TRAITS = List.of(
            new Trait("Id", false, instance -> line().foreign(instance.id())),
            new Trait("State", true, instance -> state(instance.status())),
            new Trait("Host, process", true, InstanceSections::process).ofMember(),
            new Trait("Working directory", false, instance -> line().foreign(
                                    instance.process().home()))
                    .ofMember(),
            new Trait("Started", false, instance -> line().time(
                                    instance.process().startedMillis()))
                    .ofMember(),
            new Trait("Joined", true, instance -> line().time(instance.member().createdMillis())).ofMember(),
            new Trait("Member node", false, instance -> line().foreign(instance.node())).ofMember(),
            new Trait("Session", false, InstanceSections::session).ofMember(),
            new Trait(
                    "Version", true, instance -> instance.properties().containsKey(VERSION), instance -> line().foreign(
                                    instance.properties().getOrDefault(VERSION, ""))),
            new Trait(
                    "Settings",
                    false,
                    instance -> !instance.process().settings().isEmpty(),
                    instance -> line().foreign(instance.process().settings())),
            new Trait("Its page", true, InstanceSections::console));

    /**
     * Something that is known of each instance.
     *
     * @param name what it is
     * @param inTable whether the table of instances has it too
     * @param known whether it is known of an instance
     * @param value returns it
     */
    private record Trait(String name, boolean inTable, Predicate<Instance> known, Function<Instance, Line> value) {
        Trait(String name, boolean inTable, Function<Instance, Line> value) {
            this(name, inTable, instance -> true, value);
        }

        /** Returns a trait that other clusters do not tell of their instances. */
        Trait ofMember() {
            return new Trait(name, inTable, instance -> !instance.node().isEmpty(), value);
        }
    }

    private InstanceSections() {}

    /**
     * Returns the instances of the local cluster, and those outside of its view.
     *
     * @param roles what instances do besides, in some words each, by id
     */
    public static Section instances(TopologyReport report, Map<String, List<String>> roles) {
        List<Instance> members = report.clusters().stream()
                .filter(Cluster::local)
                .flatMap(cluster -> cluster.instances().stream())
                .toList();
        List<Part> parts = new ArrayList<>();
        parts.add(
                members.isEmpty()
                        ? new Note("This instance holds no view yet.")
                        : members(members, roles(report, roles)));
        parts.addAll(outside(report));
        int timeout = members.stream().mapToInt(InstanceSections::timeout).max().orElse(0);
        if (timeout > 0) {
            // Only the end of its session is seen.
            parts.add(new Note("An instance whose crash no other one notices is shown as settled until its session"
                    + " times out, here after up to " + Times.duration(timeout) + "."));
        }
        return new Section("dz-instances", "Instances", OptionalInt.of(members.size()), parts);
    }

    /** Returns the roles with those of the members through which other clusters are known. */
    private static Map<String, List<String>> roles(TopologyReport report, Map<String, List<String>> others) {
        Map<String, List<String>> all = new TreeMap<>();
        others.forEach((id, roles) -> all.put(id, new ArrayList<>(roles)));
        for (Cluster cluster : report.clusters()) {
            if (!cluster.way().isEmpty()) {
                all.computeIfAbsent(cluster.way().get(0), any -> new ArrayList<>())
                        .add("connector to " + InstanceNames.shortId(cluster.id()));
            }
        }
        return all;
    }

    private static Table<Instance> members(List<Instance> members, Map<String, List<String>> roles) {
        Table<Instance> table = Table.of("dz-members", members)
                .number("Position", Instance::position)
                .heading("Instance", InstanceSections::named);
        for (Trait trait : TRAITS) {
            if (trait.inTable()) {
                table = table.column(trait.name(), trait.value());
            }
        }
        if (!roles.isEmpty()) {
            table = table.column("Serves", instance -> line().list(
                            roles.getOrDefault(instance.id(), List.of()), ", ", ROLES, each -> line().foreign(each)));
        }
        return table.mark("id", instance -> instance.node() + " " + instance.id())
                .mark("class", instance -> instance.local() ? "dz-local" : "dz-other")
                .mark("data-id", Instance::id)
                .mark("data-find", each -> Phrases.truncate(new TreeMap<>(each.properties()).toString(), FOUND_LENGTH))
                .mark("data-state", instance -> instance.status().state().name());
    }

    /** Returns the instances that the view does not have: live ones, each with the reason, and those that left. */
    private static List<Part> outside(TopologyReport report) {
        List<Part> parts = new ArrayList<>();
        outside(parts, "Members of the view", report.outsiders(), InstanceSections::isMember);
        outside(parts, "Alive, but not in the view", report.outsiders(), each -> !isMember(each));
        outside(parts, "Left a short time ago", report.recentlyLeft(), each -> true);
        return parts;
    }

    /** Returns whether an instance is in the established view, which the instance that makes the report does not hold. */
    public static boolean isMember(Instance instance) {
        return instance.status().state() == InstanceState.MOVED_ON;
    }

    private static void outside(List<Part> parts, String title, List<Instance> all, Predicate<Instance> selected) {
        List<Instance> instances = all.stream().filter(selected).toList();
        if (!instances.isEmpty()) {
            parts.add(new Heading(title, instances.size()));
            parts.add(outsiders(instances));
        }
    }

    /** Returns a table of instances outside of the view. */
    public static Table<Instance> outsiders(List<Instance> instances) {
        return Table.of("dz-outsiders", instances, MAX_OUTSIDE, "instance")
                .heading("Instance", InstanceSections::named)
                .column("State", each -> line().state(Look.of(each.status().state())))
                .column("Host, process", InstanceSections::process)
                .column("Working directory", each -> line().foreign(
                                each.process().home()))
                .wide("Why", each -> reason(each.status()))
                .mark("data-state", each -> each.status().state().name());
    }

    /** Returns the instance with its role. */
    public static Line named(Instance instance) {
        return line().instance(instance.id()).and(badges(instance));
    }

    /** Returns the role of an instance. */
    public static Line badges(Instance instance) {
        Line badges = line();
        if (instance.leader()) {
            badges = badges.styled(Style.LEADER, "leader");
        } else if (instance.wasLeader()) {
            badges = badges.styled(Style.FORMER_LEADER, "was leader");
        }
        return instance.local() ? badges.styled(Style.BADGE, "this instance") : badges;
    }

    /** Returns all that is known of an instance but its properties. */
    public static List<Fact> facts(Cluster cluster, Instance instance) {
        List<Fact> facts = new ArrayList<>();
        for (Trait trait : TRAITS) {
            if (trait.known().test(instance)) {
                facts.add(new Fact(trait.name(), trait.value().apply(instance)));
            }
        }
        facts.add(1, Fact.of("Cluster", cluster.id()));
        facts.add(2, new Fact("How known", ConnectorSections.source(cluster)));
        facts.add(
                3,
                Fact.of(
                        "Position",
                        instance.position() + " of " + cluster.instances().size()));
        return facts;
    }

    /** Returns the properties of an instance. */
    public static Section properties(Instance instance) {
        Map<String, String> properties = new TreeMap<>(instance.properties());
        Part part = properties.isEmpty()
                ? new Note("This instance has announced no properties.")
                : Table.of("dz-properties", List.copyOf(properties.entrySet()))
                        .heading("Name", property -> line().foreign(property.getKey()))
                        .column("Value", property -> line().styled(Style.VALUE, line().foreign(property.getValue())))
                        .mark("id", Map.Entry::getKey);
        return new Section("dz-properties", "Properties", OptionalInt.of(properties.size()), List.of(part));
    }

    private static Line process(Instance instance) {
        return line().foreign(instance.process().host() + " pid "
                + Phrases.pid(instance.process().pid()));
    }

    private static Line session(Instance instance) {
        return instance.session().isEmpty()
                ? line().text("none")
                : line().styled(Style.ID, line().foreign(instance.session()))
                        .styled(Style.BELOW, "timeout " + Times.duration(timeout(instance)));
    }

    private static int timeout(Instance instance) {
        return instance.member().record().sessionTimeoutMillis();
    }

    private static Line console(Instance instance) {
        return instance.console().map(address -> line().console(address)).orElse(line().soft("none published"));
    }

    private static Line state(InstanceStatus status) {
        Look look = Look.of(status.state());
        Line reason = reason(status);
        if (status.state() == InstanceState.SETTLED && status.why().isEmpty()) {
            return line().styled(Style.SETTLED, look.word());
        }
        return reason.isEmpty() ? line().state(look) : line().state(look).styled(Style.WHY, reason);
    }

    /** Returns why an instance is in its state, and since when. */
    static Line reason(InstanceStatus status) {
        // Its word says the same.
        boolean isSaid = status.why().isEmpty() || status.state() == InstanceState.ACKNOWLEDGED;
        Line reason = isSaid ? line() : line().of(status.why(), REASON_LENGTH);
        boolean isNamed = status.why().stream()
                .anyMatch(each -> each.arguments().contains(status.listener().orElse("")));
        if (status.listener().isPresent() && !isNamed) {
            reason = reason.text(isSaid ? "waits for listener " : "; waits for listener ")
                    .foreign(status.listener().get(), REASON_LENGTH);
        }
        if (status.sinceMillis().isEmpty()) {
            return reason;
        }
        long since = status.sinceMillis().getAsLong();
        boolean isOver = status.state() == InstanceState.GONE || status.state() == InstanceState.EXCLUDED;
        return isOver
                ? reason.text(" ").time(since, TimeForm.AGE_ONLY)
                : reason.styled(Style.SOFT, line().text(" for ").elapsed(since));
    }
}
