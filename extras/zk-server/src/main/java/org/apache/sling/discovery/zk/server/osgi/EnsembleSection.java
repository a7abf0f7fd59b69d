// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.osgi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.report.AddedSection;
import org.apache.sling.discovery.zk.server.EnsembleReport;
import org.apache.sling.discovery.zk.server.EnsembleReport.Server;
import org.apache.sling.discovery.zk.server.EnsembleReporter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** The ensemble on the topology page. */
@Component
public final class EnsembleSection implements AddedSection {
    private static final long MEGABYTE = 1L << 20;

    private final EnsembleReporter reporter;

    @Activate
    public EnsembleSection(@Reference EnsembleReporter reporter) {
        this.reporter = reporter;
    }

    @Override
    public Content content() {
        EnsembleReport report = reporter.report();
        return new Content(
                "ZooKeeper servers in the containers",
                sentences(report),
                List.of("Server", "Address", "State", "Behind", "This container"),
                report.servers().stream().map(EnsembleSection::row).collect(Collectors.toList()));
    }

    private static List<String> sentences(EnsembleReport report) {
        List<String> all = new ArrayList<>(report.problems());
        all.add(report.sentence());
        report.freeBytes()
                .ifPresent(free ->
                        all.add("Its data is in " + report.folder() + ", where " + free / MEGABYTE + " MB are free."));
        all.add(report.leader()
                .map(leader -> "Server " + leader.id() + " leads: in a rolling restart, restart the container with "
                        + leader.address() + " last.")
                .orElse("No server leads: the servers have no majority now."));
        return all;
    }

    private static List<String> row(Server server) {
        String behind = server.behind().isPresent() ? server.behind().getAsLong() + " transactions" : "unknown";
        return List.of(
                String.valueOf(server.id()),
                server.address(),
                server.role().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                behind,
                server.own() ? "yes" : "");
    }
}
