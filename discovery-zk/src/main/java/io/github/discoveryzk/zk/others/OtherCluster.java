// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.others;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.zk.client.MultiRead;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.follow.FollowedNodes;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One other cluster of the root: its id, its view and the properties of its members. While that cluster changes, or cannot be read, its
 * last view is shown, until the next one is published or no member of it is seen to live.
 */
final class OtherCluster extends FollowedNodes {
    private final Paths paths;
    private final Codecs codecs;

    /** The properties of the members that live, by path; a member whose record cannot be read has none. */
    private final Map<String, Optional<Map<String, String>>> members = new TreeMap<>();

    private Optional<String> id = Optional.empty();
    private Optional<EstablishedView> view = Optional.empty();
    private Optional<RemoteCluster> shown = Optional.empty();

    /**
     * Creates a cluster of which nothing is known.
     *
     * @param changed called when all changes that were reported have been read
     */
    OtherCluster(Paths paths, Codecs codecs, StoreThread thread, Runnable changed) {
        super(paths.members(), List.of(paths.cluster(), paths.view()), MultiRead.LIMIT, thread, changed);
        this.paths = paths;
        this.codecs = codecs;
    }

    /** Returns the cluster as it was settled last; empty when it has no view, or no member of its view lives. */
    Optional<RemoteCluster> shown() {
        return shown;
    }

    @Override
    protected boolean put(String path, NodeData found) {
        try {
            if (path.equals(paths.cluster())) {
                id = Optional.of(Codecs.readClusterId(found.data()));
            } else if (path.equals(paths.view())) {
                if (found.data().length > 0) {
                    view = Optional.of(codecs.readView(found.data()));
                }
            } else if (!skips(path) && found.stat().getEphemeralOwner() != 0) {
                members.putIfAbsent(path, Optional.empty());
                members.put(path, Optional.of(codecs.readMember(found.data()).properties()));
            }
        } catch (Unreadable e) {
            problems.report(
                    path,
                    "What is in " + path + " cannot be read: " + e.getMessage() + ". The cluster at " + paths.cluster()
                            + " is shown as it was read last.");
        }
        return true;
    }

    @Override
    protected boolean skips(String path) {
        return !Names.isMember(Paths.nameOf(path));
    }

    @Override
    protected void deny(String path) {
        if (!skips(path)) {
            members.putIfAbsent(path, Optional.empty());
        }
    }

    @Override
    protected void remove(String path) {
        members.remove(path);
        if (path.equals(paths.cluster())) {
            id = Optional.empty();
        }
    }

    @Override
    protected void settled() {
        try {
            shown = id.isEmpty()
                    ? Optional.empty()
                    : view.filter(this::hasLiveMember).map(this::cluster);
        } catch (IllegalArgumentException e) {
            shown = Optional.empty();
            problems.report(
                    paths.view(),
                    "The cluster at " + paths.cluster() + " is not shown: its view is contradictory: "
                            + e.getMessage());
        }
        super.settled();
    }

    private boolean hasLiveMember(EstablishedView settled) {
        return settled.members().stream().anyMatch(member -> members.containsKey(paths.member(member.node())));
    }

    /** Returns the cluster. A member that has gone, or whose record cannot be read, keeps the properties that it was shown with. */
    private RemoteCluster cluster(EstablishedView settled) {
        Map<String, Map<String, String>> before = shown.stream()
                .flatMap(last -> last.instances().stream())
                .collect(Collectors.toMap(RemoteInstance::instanceId, RemoteInstance::properties));
        return new RemoteCluster(
                id.orElseThrow(),
                settled.members().stream()
                        .map(member -> new RemoteInstance(
                                member.instanceId(),
                                members.getOrDefault(paths.member(member.node()), Optional.empty())
                                        .orElseGet(() -> before.getOrDefault(member.instanceId(), Map.of()))))
                        .toList(),
                settled.leader().instanceId());
    }
}
