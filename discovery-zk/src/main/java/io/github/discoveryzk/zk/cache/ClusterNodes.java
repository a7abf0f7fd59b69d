// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Plausibility;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The cached nodes of the cluster, unreadable ones included. */
public final class ClusterNodes {
    private final Paths paths;
    private final Codecs codecs;
    private final MemberNodes members;
    private String clusterId;
    private final Map<String, String> problems = new TreeMap<>();
    private ViewSlot slot = new ViewSlot(0, 0, 0, Optional.empty());
    private final Set<Suspicion> suspicions = new HashSet<>();
    private Optional<Set<Acknowledgement>> acks = Optional.empty();
    private Optional<LeaseRead> leaseProbed = Optional.empty();

    ClusterNodes(Paths paths, Codecs codecs, String clusterId) {
        this.paths = paths;
        this.codecs = codecs;
        this.clusterId = clusterId;
        this.members = new MemberNodes(paths, codecs, problems);
    }

    /** Sets the id that the cluster's node holds now. */
    void setClusterId(String id) {
        clusterId = id;
    }

    /** Returns the members' nodes. */
    public MemberNodes members() {
        return members;
    }

    void putView(NodeData found) {
        problems.remove(paths.view());
        Optional<EstablishedView> view = Optional.empty();
        if (found.data().length > 0) {
            try {
                view = Optional.of(decoded(found));
            } catch (Unreadable e) {
                problems.put(
                        paths.view(),
                        "The established view in " + paths.view() + " cannot be read: " + e.getMessage()
                                + ". The next view replaces it; find out which client wrote it.");
            }
        }
        slot = new ViewSlot(found.stat().getVersion(), found.stat().getMzxid(), 0, view);
    }

    /** Returns the same object after the same write: nothing is decoded twice, and comparisons end immediately. */
    private EstablishedView decoded(NodeData found) throws Unreadable {
        long transaction = found.stat().getMzxid();
        if (slot.view().isPresent() && slot.stamp() == transaction) {
            return slot.view().get();
        }
        EstablishedView view = codecs.readView(found.data());
        if (!Plausibility.isNumber(view.number(), transaction)) {
            throw new Unreadable("it has the number " + view.number());
        }
        return view;
    }

    /** Puts the slot that follows another one, unless a full read has put that or a later one already. */
    void putNextView(ViewSlot before, ViewSlot next) {
        if (slot.stamp() == before.stamp()) {
            slot = next;
        }
    }

    ViewSlot slot() {
        return slot;
    }

    /** Returns the data version of the view's node. */
    public int slotVersion() {
        return slot.version();
    }

    /** Returns the established view; empty when there is none or it cannot be read. */
    public Optional<EstablishedView> view() {
        return slot.view();
    }

    /** Returns whether the history has a later view than the established view, which then is not the one that was published last. */
    boolean isBehind(long recorded) {
        return recorded >= slot.nextNumber();
    }

    public void putLeaseProbe(LeaseRead answer) {
        leaseProbed = Optional.of(answer);
    }

    /** Returns the version that the lease had when a lease probe read that number of renewals; empty when none has. */
    public OptionalInt leaseVersion(long renewals) {
        return leaseProbed
                .filter(answer -> answer.leaseProbe().renewals() == renewals)
                .map(answer -> OptionalInt.of(answer.leaseVersion()))
                .orElse(OptionalInt.empty());
    }

    /** Removes leave records that have been taken in. Those that still exist come with the next lease probe. */
    public void removeLeaveRecords(Set<LeaveRecord> heard) {
        leaseProbed = leaseProbed.map(answer -> answer.without(heard));
    }

    /** Keeps the view that was decoded before, if it is the same, and what the last lease probe read, unless the store has another cluster now. */
    void keepFrom(ClusterNodes before) {
        if (before.clusterId.equals(clusterId)) {
            leaseProbed = before.leaseProbed;
        }
        if (slot.view().isPresent() && before.slot.view().isPresent() && slot.stamp() == before.slot.stamp()) {
            slot = new ViewSlot(slot.version(), slot.stamp(), slot.recorded(), before.slot.view());
        }
    }

    /** Adds a suspicion by a present member; any other one is foreign, because only a member can create one. */
    void addSuspicion(String name) {
        Names.parseSuspicion(name)
                .filter(suspicion -> members.has(suspicion.by()))
                .ifPresentOrElse(suspicions::add, () -> reportForeign(paths.suspicion(name)));
    }

    void removeSuspicion(String name) {
        problems.remove(paths.suspicion(name));
        Names.parseSuspicion(name).ifPresent(suspicions::remove);
    }

    /** Puts the names of all acknowledgements. */
    void putAcknowledgements(List<String> names) {
        acks = Optional.of(new HashSet<>());
        names.forEach(this::addAcknowledgement);
    }

    void addAcknowledgement(String name) {
        acks.ifPresent(all ->
                Names.parseAcknowledgement(name).ifPresentOrElse(all::add, () -> reportForeign(paths.ack(name))));
    }

    void removeAcknowledgement(String name) {
        problems.remove(paths.ack(name));
        acks.ifPresent(all -> Names.parseAcknowledgement(name).ifPresent(all::remove));
    }

    /** Returns whether the acknowledgements are cached. */
    boolean hasAcknowledgements() {
        return acks.isPresent();
    }

    void dropAcknowledgements() {
        acks = Optional.empty();
        problems.keySet().removeIf(path -> path.startsWith(paths.acks() + "/"));
    }

    /**
     * Returns the nodes as a value.
     *
     * @param recorded the highest known number in the history
     */
    public StoreSnapshot snapshot(long recorded) {
        List<String> sentences = NodeKind.shortened(problems.values().stream(), problems.size());
        leaseProbed.ifPresent(answer -> sentences.addAll(answer.problems()));
        if (isBehind(recorded)) {
            sentences.add(behindSentence(recorded));
        }
        return new StoreSnapshot(
                clusterId,
                codecs.formats(),
                members.live(),
                new ViewSlot(slot.version(), slot.stamp(), recorded, slot.view()),
                acks,
                leaseProbed.map(LeaseRead::leaseProbe),
                suspicions,
                sentences);
    }

    private String behindSentence(long recorded) {
        return "The established view in " + paths.view() + " has "
                + view().map(view -> "number " + view.number()).orElse("no number") + ", but the history in "
                + paths.history() + " goes up to number " + recorded
                + ": the view was restored from an older state or written by another client. The next view gets a number"
                + " above both. If it was not restored on purpose, find out which client writes there.";
    }

    private void reportForeign(String path) {
        problems.put(path, NodeKind.foreignSentence(path));
    }
}
