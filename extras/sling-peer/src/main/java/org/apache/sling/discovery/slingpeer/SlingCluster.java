// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.slingpeer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.json.Json;
import javax.json.JsonObject;
import javax.json.JsonString;
import org.apache.sling.api.resource.ResourceResolverFactory;
import org.apache.sling.discovery.base.commons.UndefinedClusterViewException;
import org.apache.sling.discovery.base.commons.UndefinedClusterViewException.Reason;
import org.apache.sling.discovery.commons.providers.DefaultInstanceDescription;
import org.apache.sling.discovery.commons.providers.spi.LocalClusterView;
import org.apache.sling.testing.resourceresolver.MockResourceResolverFactory;

/** The members of a cluster, with the repository that they share. The eldest member leads. */
final class SlingCluster {

    private final PeerConfig config;
    private final ResourceResolverFactory repository = new MockResourceResolverFactory();
    private final Map<String, SlingMember> members = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> properties = new LinkedHashMap<>();
    private boolean settled = true;

    SlingCluster(PeerConfig config) {
        this.config = config;
    }

    JsonObject run(JsonObject command) throws Exception {
        String name = command.getString("do");
        switch (name) {
            case "settle" -> settle(command.getBoolean("settled"));
            case "join" -> {
                return join(command);
            }
            default -> {
                SlingMember member = member(command.getString("member"));
                switch (name) {
                    case "offer" -> offer(member.id(), command.getJsonObject("properties"));
                    case "connect" -> member.connect(command.getString("url"));
                    case "disconnect" -> member.disconnect();
                    case "ping" -> member.ping(command.getBoolean("force", false));
                    case "look" -> {
                        return member.look();
                    }
                    case "leave" -> leave(member);
                    default -> throw new IllegalArgumentException("no command " + name);
                }
            }
        }
        return Json.createObjectBuilder().build();
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

    private JsonObject join(JsonObject command) throws Exception {
        String id = command.getString("member");
        offer(id, command.getJsonObject("properties"));
        SlingMember member = new SlingMember(id, this, config, repository);
        members.put(id, member);
        return Json.createObjectBuilder().add("port", member.port()).build();
    }

    private synchronized void offer(String id, JsonObject offered) {
        Map<String, String> texts = new LinkedHashMap<>();
        offered.forEach((name, value) -> texts.put(name, ((JsonString) value).getString()));
        properties.put(id, texts);
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
        LocalClusterView view = new LocalClusterView(config.clusterId(), "token");
        boolean leader = true;
        for (Map.Entry<String, Map<String, String>> each : properties.entrySet()) {
            new DefaultInstanceDescription(
                    view, leader, each.getKey().equals(local), each.getKey(), Map.copyOf(each.getValue()));
            leader = false;
        }
        return view;
    }

    /** Stops all members in order. */
    void close() {
        List<SlingMember> all = new ArrayList<>(members.values());
        for (SlingMember member : all) {
            member.close();
        }
    }
}
