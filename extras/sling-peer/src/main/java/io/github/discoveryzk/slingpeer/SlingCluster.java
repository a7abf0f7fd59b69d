// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.slingpeer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.sling.api.resource.ResourceResolverFactory;
import org.apache.sling.discovery.base.commons.UndefinedClusterViewException;
import org.apache.sling.discovery.base.commons.UndefinedClusterViewException.Reason;
import org.apache.sling.discovery.commons.providers.DefaultInstanceDescription;
import org.apache.sling.discovery.commons.providers.spi.LocalClusterView;
import org.apache.sling.testing.resourceresolver.MockResourceResolverFactory;

/** The members of a cluster, with the repository that they share. The eldest member leads. */
final class SlingCluster {

    private final Map<String, ?> config;
    private final ResourceResolverFactory repository = new MockResourceResolverFactory();
    private final Map<String, SlingMember> members = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> properties = new LinkedHashMap<>();
    private boolean settled = true;

    SlingCluster(Map<String, ?> config) {
        this.config = config;
    }

    /** Executes a command, and returns the answer. */
    Map<String, ?> run(Map<String, ?> command) throws Exception {
        String id = (String) command.get("member");
        switch ((String) command.get("do")) {
            case "settle" -> settle((Boolean) command.get("settled"));
            case "join" -> {
                return join(command);
            }
            case "offer" -> offer(member(id).id(), command);
            case "connect" -> member(id).connect((String) command.get("url"));
            case "disconnect" -> member(id).disconnect();
            case "ping" -> member(id).ping(command.containsKey("force"));
            case "look" -> {
                return member(id).look();
            }
            case "leave" -> leave(member(id));
            default -> throw new IllegalArgumentException("no command " + command.get("do"));
        }
        return Map.of();
    }

    private SlingMember member(String id) {
        SlingMember member = members.get(id);
        if (member == null) {
            throw new IllegalArgumentException("no member " + id);
        }
        return member;
    }

    private synchronized void settle(boolean value) {
        settled = value;
    }

    private Map<String, ?> join(Map<String, ?> command) throws Exception {
        String id = (String) command.get("member");
        offer(id, command);
        SlingMember member = new SlingMember(id, this, config, repository);
        members.put(id, member);
        return Map.of("port", member.port());
    }

    @SuppressWarnings("unchecked")
    private synchronized void offer(String id, Map<String, ?> command) {
        properties.put(id, Map.copyOf((Map<String, String>) command.get("properties")));
    }

    private void leave(SlingMember member) throws Exception {
        member.close();
        members.remove(member.id());
        synchronized (this) {
            properties.remove(member.id());
        }
    }

    /** Returns the view that a member has of this cluster. */
    synchronized LocalClusterView view(String local) throws UndefinedClusterViewException {
        if (!settled) {
            throw new UndefinedClusterViewException(Reason.NO_ESTABLISHED_VIEW, "not settled");
        }
        LocalClusterView view = new LocalClusterView((String) config.get("clusterId"), "token");
        boolean leader = true;
        for (Map.Entry<String, Map<String, String>> each : properties.entrySet()) {
            new DefaultInstanceDescription(view, leader, each.getKey().equals(local), each.getKey(), each.getValue());
            leader = false;
        }
        return view;
    }

    /** Stops all members in order. */
    void close() {
        members.values().forEach(SlingMember::close);
    }
}
