// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A store in memory, on virtual time, that behaves like an ensemble of servers: transaction ids, sessions that own nodes,
 * sequence numbers that wrap, compare-and-set. {@link MemoryStore} handles the messages between it and an instance.
 */
public final class MemoryEnsemble {
    final VirtualTime time;
    private final String name;
    private final TreeMap<Long, Map<String, Bytes>> shared = new TreeMap<>();
    private final Map<String, Long> seniorities = new HashMap<>();
    private final Map<Long, VirtualTime.Task> sessions = new HashMap<>();
    private final Set<MemoryStore> watchers = new LinkedHashSet<>();
    private final List<Consumer<EstablishedView>> publications = new ArrayList<>();
    private final List<Runnable> memberships = new ArrayList<>();
    private final List<DataObserver> dataWrites = new ArrayList<>();
    private final TreeMap<Long, LeaseProbe> leaseProbes = new TreeMap<>();
    private Content content = Content.empty();
    private long lastSession = 7_000;
    private int sequence = Integer.MAX_VALUE - 2;
    private Optional<List<RemoteCluster>> others = Optional.empty();
    private boolean spoilt;
    private final MemoryReadings readings = new MemoryReadings(this);
    private final MemoryData data = new MemoryData(this);
    private Set<Class<? extends Request>> denied = Set.of();
    private long requests;
    private int deletions;
    private int restores;

    /** Makes an empty store whose cluster ids begin with that name. */
    public MemoryEnsemble(VirtualTime time, String name) {
        this.time = time;
        this.name = name;
    }

    /** Sets an observer of each publication of a view. */
    public void onPublication(Consumer<EstablishedView> observer) {
        publications.add(observer);
    }

    /** Sets an observer that runs when a member node was created, deleted or rewritten. */
    public void onMembership(Runnable observer) {
        memberships.add(observer);
    }

    /** Sets an observer of each write of shared data that takes effect. */
    public void onDataWrite(DataObserver observer) {
        dataWrites.add(observer);
    }

    /** Observes writes of shared data. */
    @FunctionalInterface
    public interface DataObserver {
        /**
         * A write takes effect now.
         *
         * @param replaced the version that stood there; 0 if there was none that counts
         * @param version its own version; that of a removal from a map stands nowhere
         */
        void written(DataStore.Write write, long replaced, long version);
    }

    void dataWritten(DataStore.Write write, long replaced, long version) {
        dataWrites.forEach(observer -> observer.written(write, replaced, version));
    }

    /** Returns the suspicions that stand. */
    public Set<Suspicion> suspicions() {
        return content.suspicions().keySet();
    }

    public List<Member> members() {
        return List.copyOf(content.members());
    }

    public Optional<EstablishedView> view() {
        return content.slot().view();
    }

    /** Returns the id of the cluster, which changes when everything is deleted. */
    public String clusterId() {
        return name + "-" + deletions;
    }

    Content content() {
        return content;
    }

    MemoryData data() {
        return data;
    }

    /** Returns the id of the last transaction. */
    public long transaction() {
        return content.transaction();
    }

    long nextTransaction() {
        content = content.withTransaction();
        return content.transaction();
    }

    void dataChanged(DataAddress address) {
        List.copyOf(watchers).forEach(store -> store.dataChanged(address));
    }

    /** Returns the transaction that created a member node, which may be deleted by now. */
    public long seniority(String node) {
        return seniorities.getOrDefault(node, 0L);
    }

    /** Deletes all acknowledgements and suspicions, as a foreign client would. */
    public void deleteFolders() {
        apply(content.withAcknowledgements(Map.of()).withSuspicions(Map.of()));
    }

    /** Returns the number of nodes that belong to a member or grow with time. */
    public int size() {
        return content.size();
    }

    /** Denies requests of these kinds to all instances, and allows all other kinds. */
    public void deny(Set<Class<? extends Request>> kinds) {
        denied = kinds;
    }

    public long requests() {
        return requests;
    }

    /** Overwrites the view with unreadable data, as a foreign client would. */
    public void spoilView() {
        spoilt = true;
        apply(content.withView(Optional.empty()));
    }

    /** Deletes the whole tree; the next instance creates it again. */
    public void deleteEverything() {
        deletions++;
        spoilt = false;
        data.replace(Map.of());
        apply(content.afterDeletion());
    }

    /** Writes an older view over the present one; if {@code whole}, the history goes back too. */
    public void restore(EstablishedView older, boolean whole) {
        Content left = whole ? content.withHistory(content.history().headMap(older.number() + 1)) : content;
        apply(left.withView(Optional.of(older)));
    }

    /** Returns all that the store holds now. */
    public Backup backup() {
        return new Backup(content, data.all(), sequence, Set.copyOf(sessions.keySet()));
    }

    /**
     * Goes back to an earlier state, as restored servers do: transaction ids repeat, and sessions of that time are back until they expire.
     * {@link MemoryStore#refuse} is to be called before for each client.
     */
    public void restore(Backup backup, long sessionMillis) {
        restores++;
        sessions.values().forEach(VirtualTime.Task::cancel);
        sessions.clear();
        backup.sessions.forEach(session -> sessions.put(session, time.after(sessionMillis, () -> end(session))));
        shared.clear();
        sequence = backup.sequence;
        spoilt = false;
        data.replace(backup.data);
        // The names of nodes are never used twice.
        apply(backup.content.withCreated(content.created()));
    }

    /** Returns how often the servers were restored: what was on its way to the earlier ones does not arrive. */
    int restores() {
        return restores;
    }

    /** What a store held at one time. */
    public record Backup(Content content, Map<DataAddress, MemoryData.Folder> data, int sequence, Set<Long> sessions) {
        /** Returns the view that the store held. */
        public Optional<EstablishedView> view() {
            return content.slot().view();
        }
    }

    Optional<List<RemoteCluster>> others() {
        return others;
    }

    /** Shows other clusters of the same store to all instances. */
    public void showClusters(List<RemoteCluster> clusters) {
        others = Optional.of(List.copyOf(clusters));
        List.copyOf(watchers).forEach(MemoryStore::othersChanged);
    }

    /** Returns the history of views, oldest first. */
    public List<HistoryEntry> history() {
        return List.copyOf(content.history().values());
    }

    /** Returns what those get who read the store for display. */
    public MemoryReadings readings() {
        return readings;
    }

    /** Returns the lease probe of a server that was up to date at that time. */
    LeaseProbe leaseProbeAt(long millis) {
        Map.Entry<Long, LeaseProbe> known = leaseProbes.floorEntry(millis);
        return known == null ? new LeaseProbe(0, Set.of()) : known.getValue();
    }

    boolean isAlive(long session) {
        return sessions.containsKey(session);
    }

    /** Opens a session without a time limit until {@link #startExpiry} sets one. */
    long newSession() {
        sessions.put(++lastSession, time.after(0, () -> {}));
        return lastSession;
    }

    /** Suspends the expiry of a session, because its owner is connected. */
    void suspendExpiry(long session) {
        Optional.ofNullable(sessions.get(session)).ifPresent(VirtualTime.Task::cancel);
    }

    /**
     * Starts the expiry of a session, because its owner is silent: it expires after the given number of milliseconds unless the
     * owner reconnects.
     */
    void startExpiry(long session, long millis) {
        if (isAlive(session)) {
            suspendExpiry(session);
            sessions.put(session, time.after(millis, () -> end(session)));
        }
    }

    /** Ends a session, as the servers may do at any time. */
    public void end(long session) {
        if (sessions.remove(session) != null) {
            if (shared.remove(session) != null) {
                List.copyOf(watchers).forEach(MemoryStore::announced);
            }
            apply(content.ended(session));
            data.end(session);
            List.copyOf(watchers).forEach(store -> store.ended(session));
        }
    }

    /** Replaces what the owner of a session shares. */
    void share(long session, Map<String, Bytes> contents) {
        if (isAlive(session) && !contents.equals(shared.getOrDefault(session, Map.of()))) {
            shared.put(session, new TreeMap<>(contents));
            List.copyOf(watchers).forEach(MemoryStore::announced);
        }
    }

    /** Returns what the members share. */
    List<SharedAnnouncement> shared() {
        List<SharedAnnouncement> all = new ArrayList<>();
        shared.forEach((session, contents) -> content.members().stream()
                .filter(member -> member.session() == session)
                .forEach(member -> contents.forEach((owner, content) ->
                        all.add(new SharedAnnouncement(member.instanceId(), true, owner, content)))));
        return all;
    }

    void watch(MemoryStore store) {
        watchers.add(store);
    }

    void unwatch(MemoryConnection store) {
        watchers.remove(store);
    }

    /** Returns what an instance sees. */
    StoreSnapshot snapshot(boolean withAcknowledgements) {
        return content.snapshot(
                clusterId(), withAcknowledgements, spoilt ? List.of("the view cannot be read") : List.of());
    }

    Outcome execute(Request request, long session) {
        requests++;
        if (denied.contains(request.getClass())) {
            return Outcome.rejected("access is denied");
        }
        Content.Executed executed = content.execute(request, session, time.now(), this::nodeName);
        boolean published = request instanceof Request.Publish && executed.content() != content;
        spoilt &= !published;
        apply(executed.content(), published ? executed.content().slot().view() : Optional.empty());
        return executed.outcome();
    }

    private String nodeName(int created) {
        return String.format("m-%016x-%010d", (created + 1) * 0x9E3779B97F4A7C15L, sequence++);
    }

    /** Replaces what the store holds, and notifies the instances of what has changed. */
    private void apply(Content next) {
        apply(next, Optional.empty());
    }

    private void apply(Content next, Optional<EstablishedView> published) {
        Content before = content;
        content = next;
        if (next.leaseProbe() != before.leaseProbe()) {
            leaseProbes.put(time.now(), next.leaseProbe());
        }
        boolean moved = next.members() != before.members();
        if (moved) {
            next.members().forEach(member -> seniorities.put(member.node(), member.seniority()));
            memberships.forEach(Runnable::run);
        }
        published.ifPresent(view -> publications.forEach(observer -> observer.accept(view)));
        if (moved || next.slot() != before.slot() || next.suspicions() != before.suspicions()) {
            List.copyOf(watchers).forEach(MemoryStore::changed);
        } else if (next.acknowledgements() != before.acknowledgements()) {
            List.copyOf(watchers).forEach(MemoryStore::acknowledged);
        }
    }
}
