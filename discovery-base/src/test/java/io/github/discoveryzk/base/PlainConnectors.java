// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.spi.LocalInstance;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Connectors without peers: they show what others share, which is a line of text. */
public final class PlainConnectors implements LocalInstance.Connectors {

    private final LocalInstance instance;
    private ConnectorReport report = ConnectorReport.NONE;

    /** Attaches them to an instance. */
    public PlainConnectors(DiscoveryInstance instance) {
        this.instance = instance.local();
        this.instance.attach(this);
    }

    /** Returns what announces a cluster whose instances have the same properties; the first one leads and announces it. */
    public static Map<String, Bytes> announced(String cluster, List<String> instances, String property) {
        String line = cluster + " " + property + " " + String.join(" ", instances);
        return Map.of(instances.get(0), Bytes.of(line));
    }

    @Override
    public void announcementsObserved(List<SharedAnnouncement> announcements) {
        instance.calls()
                .execute(() -> instance.show(
                        this, announcements.stream().map(PlainConnectors::read).toList()));
    }

    private static RemoteCluster read(SharedAnnouncement announcement) {
        byte[] content = new byte[announcement.content().length()];
        announcement.content().copyTo(content, 0);
        String[] words = new String(content, StandardCharsets.UTF_8).split(" ");
        return new RemoteCluster(
                words[0],
                Stream.of(words)
                        .skip(2)
                        .map(id -> new RemoteInstance(id, Map.of("p", words[1])))
                        .toList(),
                words[2],
                List.of(announcement.holder(), announcement.ownerId()));
    }

    void report(ConnectorReport next) {
        report = next;
    }

    @Override
    public ConnectorReport report() {
        return report;
    }
}
