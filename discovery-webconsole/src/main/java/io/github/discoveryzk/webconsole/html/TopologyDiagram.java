// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import static io.github.discoveryzk.webconsole.html.Attributes.attr;

import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.section.InstanceSections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The topology as a picture: the local cluster is a frame, and instances are boxes in rows, in their order, each in the colour of its
 * state. Each other cluster is a box with the way of its announcement.
 */
record TopologyDiagram(TopologyReport report) implements Picture {
    private static final int NAME_LENGTH = 18;
    private static final int HOST_LENGTH = 60;
    private static final int REASON_LENGTH = 120;
    private static final int MAX_MEMBERS = 50;
    private static final int MAX_OUTSIDE = 16;
    private static final int MAX_CLUSTERS = 16;

    /** These are not there, not known to be there, or not yet members. */
    private static final Set<InstanceState> DASHED =
            EnumSet.of(InstanceState.GONE, InstanceState.UNKNOWN, InstanceState.JOINING);

    /** The word of these says what their reason says. */
    private static final Set<InstanceState> CLEAR = EnumSet.of(InstanceState.ACKNOWLEDGED, InstanceState.MOVED_ON);

    @Override
    public void write(PageWriter page) {
        List<Instance> outside = Stream.concat(report.outsiders().stream(), report.recentlyLeft().stream())
                .toList();
        if (report.clusters().isEmpty() && outside.isEmpty()) {
            return;
        }
        page.html().element("section", attr("id", "dz-picture").and("aria-label", "Picture of the topology"), () -> {
            report.clusters().stream().filter(Cluster::local).forEach(cluster -> cluster(page, cluster));
            // An instance that is in no view, or holds an older one, knows of those that are.
            Predicate<Instance> isMember = InstanceSections::isMember;
            group(page, "Members of the view", select(outside, isMember), outside.size(), "dz-others");
            group(page, "Outside the view", select(outside, isMember.negate()), MAX_OUTSIDE, "dz-apart");
            List<Cluster> remotes =
                    report.clusters().stream().filter(each -> !each.local()).toList();
            group(page, "Other clusters", "cluster", remotes, MAX_CLUSTERS, "dz-clusters", this::remote);
        });
    }

    private static List<Instance> select(List<Instance> instances, Predicate<Instance> selected) {
        return instances.stream().filter(selected).toList();
    }

    private static void cluster(PageWriter page, Cluster cluster) {
        Html html = page.html();
        List<Instance> instances = cluster.instances();
        html.element("div", attr("class", "dz-group").and("id", Html.id("dz-g", cluster.id())), () -> {
            html.element("h2", attr("title", PageWriter.title("Cluster " + cluster.id())), () -> {
                html.text("This cluster");
                count(html, Phrases.count(instances.size(), "instance"));
            });
            List<Instance> drawn = drawn(instances);
            html.element("ol", attr("class", "dz-nodes"), () -> drawn.forEach(each -> node(page, each)));
            if (drawn.size() < instances.size()) {
                String more = Phrases.count(instances.size() - drawn.size(), "further instance");
                page.parts(List.of(new Section.Note("Not drawn: " + more + ", settled; the table has them.")));
            }
        });
    }

    /** Returns those members of a large cluster that differ from the others, and the first ones. */
    private static List<Instance> drawn(List<Instance> members) {
        Predicate<Instance> differs =
                each -> each.status().state() != InstanceState.SETTLED || each.leader() || each.local();
        long room = Math.max(0, MAX_MEMBERS - members.stream().filter(differs).count());
        Set<Instance> others =
                members.stream().filter(differs.negate()).limit(room).collect(Collectors.toSet());
        return members.stream()
                .filter(each -> differs.test(each) || others.contains(each))
                .toList();
    }

    private static void group(PageWriter page, String title, List<Instance> instances, int max, String id) {
        group(page, title, "instance", instances, max, id, TopologyDiagram::node);
    }

    private static <T> void group(
            PageWriter page,
            String title,
            String noun,
            List<T> all,
            int max,
            String id,
            BiConsumer<PageWriter, T> node) {
        if (all.isEmpty()) {
            return;
        }
        Html html = page.html();
        html.element("div", attr("class", "dz-group").and("id", id), () -> {
            html.element("h2", () -> {
                html.text(title);
                count(html, String.valueOf(all.size()));
            });
            html.element("ul", attr("class", "dz-nodes"), () -> all.stream()
                    .limit(max)
                    .forEach(each -> node.accept(page, each)));
            if (all.size() > max) {
                String more = Phrases.count(all.size() - max, "further " + noun);
                page.parts(List.of(new Section.Note("Not drawn: " + more + ".")));
            }
        });
    }

    /** The table of the clusters, to which the box leads, has the same facts. */
    private void remote(PageWriter page, Cluster cluster) {
        Html html = page.html();
        String tone = cluster.instances().stream()
                .findFirst()
                .map(each -> Look.of(each.status().state()).tone())
                .orElse("off");
        String size = Phrases.count(cluster.instances().size(), "instance");
        String leader = cluster.leader()
                .map(each -> "leader " + page.names().label(each.id()) + ", ")
                .orElse("");
        String way = cluster.way().isEmpty()
                ? "in the same store"
                : "through " + cluster.way().stream().map(page.names()::label).collect(Collectors.joining(" \u2190 "));
        Attributes link = attr("class", "dz-node dz-" + tone)
                .and("href", page.console() + Addresses.CONNECTORS)
                .and("title", PageWriter.title("Cluster " + cluster.id()));
        html.element(
                "li",
                attr("id", Html.id("dz-m", cluster.id())),
                () -> html.element("a", link, () -> {
                    part(html, "dz-name", Phrases.shorten(page.nameOrShortId(cluster.id()), NAME_LENGTH));
                    part(html, "dz-where", size);
                    part(html, "dz-reason", Phrases.shorten(leader + way, REASON_LENGTH));
                }));
    }

    private static void part(Html html, String styleClass, String text) {
        html.text(" ").foreign("span", attr("class", styleClass), text);
    }

    private static void count(Html html, String text) {
        html.text(" ").element("span", attr("class", "dz-count"), text);
    }

    private static void node(PageWriter page, Instance instance) {
        InstanceStatus status = instance.status();
        String reason = status.listener().orElseGet(() -> page.names().clause(status.why()));
        String styleClass = "dz-node dz-" + Look.of(status.state()).tone()
                + (DASHED.contains(status.state()) ? " dz-dashed" : "")
                + (instance.local() ? " dz-here" : "");
        Attributes link = attr("class", styleClass)
                .and("href", page.console() + Addresses.instance(instance.id()))
                .and("data-id", instance.id())
                .and("data-state", status.state().name())
                .and("title", instance.id() + (reason.isEmpty() ? "" : ": " + Phrases.truncate(reason, REASON_LENGTH)));
        String shown = CLEAR.contains(status.state()) ? "" : reason;
        Attributes item = attr("id", Html.id("dz-n", instance.node() + " " + instance.id()));
        page.html().element("li", item, () -> page.html().element("a", link, () -> box(page, instance, shown)));
    }

    /** Writes the visible text, which is the accessible name too. */
    private static void box(PageWriter page, Instance instance, String reason) {
        Html html = page.html();
        if (instance.position() > 0) {
            html.element("span", attr("class", "dz-position"), String.valueOf(instance.position()))
                    .text(" ");
        }
        if (instance.leader() || instance.wasLeader()) {
            page.crown(instance.leader() ? "dz-crowned" : "dz-crowned dz-former");
            html.element("span", attr("class", "dz-role"), instance.leader() ? "leader" : "was leader");
        }
        String name = instance.name().orElse(page.nameOrShortId(instance.id()));
        String host = Phrases.shorten(instance.process().host(), HOST_LENGTH);
        part(html, "dz-name", Phrases.shorten(name, NAME_LENGTH));
        part(html, "dz-where", host + ":" + Phrases.pid(instance.process().pid()));
        if (instance.status().state() != InstanceState.SETTLED) {
            html.text(" ");
            page.state("dz-said", Look.of(instance.status().state()));
        }
        if (!reason.isEmpty()) {
            part(html, "dz-reason", Phrases.shorten(Phrases.simpleNames(reason), REASON_LENGTH));
        }
        if (instance.local()) {
            html.text(" ").element("span", attr("class", "dz-mark"), "this instance");
        }
    }
}
