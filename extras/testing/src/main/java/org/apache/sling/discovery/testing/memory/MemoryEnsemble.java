// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreInspector;
import org.apache.sling.discovery.testing.time.VirtualTime;

/**
 * A store in memory, on virtual time, that behaves like an ensemble of servers: transaction ids, sessions that own nodes,
 * sequence numbers that wrap, compare-and-set. {@link MemoryStore} handles the messages between it and an instance.
 */
public final class MemoryEnsemble {

    static final int HISTORY_LIMIT = 20;

    final VirtualTime time;
    private final String name;
    private final TreeMap<Long, Map<String, Bytes>> shared = new TreeMap<>();
    private final Map<String, Member> members = new LinkedHashMap<>();

    /** The last acknowledgement of each session: it ends with the session, and not with the member node. */
    private final Map<Long, Acknowledgement> acknowledgements = new HashMap<>();

    private final TreeMap<Long, HistoryEntry> history = new TreeMap<>();
    private final Map<String, Long> seniorities = new HashMap<>();
    private final Map<Long, VirtualTime.Task> sessions = new HashMap<>();
    private final List<MemoryStore> watchers = new ArrayList<>();
    private final List<Consumer<EstablishedView>> publications = new ArrayList<>();
    private final TreeMap<Long, LeaseProbe> leaseProbes = new TreeMap<>();
    private LeaseProbe leaseProbe = new LeaseProbe(0, Set.of());
    private long transaction = 100;
    private long lastSession = 7_000;
    private int sequence = Integer.MAX_VALUE - 2;
    private long created;
    private Optional<List<RemoteCluster>> others = Optional.empty();
    private ViewSlot slot = new ViewSlot(0, transaction, 0, Optional.empty());
    private boolean spoilt;
    private final Set<Long> spoiltEntries = new HashSet<>();
    private long readings;
    private long acknowledgementReadings;
    private Set<Class<? extends Request>> denied = Set.of();
    private long membershipChangedAt;
    private long requests;
    private int deletions;
    private int restores;

    public MemoryEnsemble(VirtualTime time) {
        this(time, "cluster");
    }

    /** Makes an empty store whose cluster ids begin with that name. */
    public MemoryEnsemble(VirtualTime time, String name) {
        this.time = time;
        this.name = name;
    }

    /** Sets an observer of each publication of a view. */
    public void onPublication(Consumer<EstablishedView> observer) {
        publications.add(observer);
    }

    public List<Member> members() {
        return List.copyOf(members.values());
    }

    public Optional<EstablishedView> view() {
        return slot.view();
    }

    /** Returns the id of the cluster, which changes when everything is deleted. */
    public String clusterId() {
        return name + "-" + deletions;
    }

    ViewSlot slot() {
        return slot;
    }

    /** Returns the transaction that created a member node, which may be deleted by now. */
    public long seniority(String node) {
        return seniorities.getOrDefault(node, 0L);
    }

    /** Returns when a member node was last created, deleted or rewritten. */
    public long membershipChangedAt() {
        return membershipChangedAt;
    }

    /** Deletes all acknowledgements, as a foreign client would. */
    public void deleteAcknowledgements() {
        acknowledgements.clear();
        watchers.forEach(MemoryStore::acknowledged);
    }

    /** Returns the number of nodes that belong to a member or grow with time. */
    public int size() {
        return members.size()
                + acknowledgements.size()
                + history.size()
                + leaseProbe.notes().size();
    }

    /** Denies requests of these kinds to all instances, and allows all other kinds. */
    public void deny(Set<Class<? extends Request>> kinds) {
        denied = kinds;
    }

    public long requests() {
        return requests;
    }

    int historySize() {
        return history.size();
    }

    /** Overwrites the view with unreadable data, as a foreign client would. */
    public void spoilView() {
        transaction++;
        slot = new ViewSlot(slot.version() + 1, transaction, recorded(), Optional.empty());
        spoilt = true;
        List.copyOf(watchers).forEach(MemoryStore::changed);
    }

    /** Deletes the whole tree; the next instance creates it again. */
    public void deleteEverything() {
        deletions++;
        members.clear();
        acknowledgements.clear();
        history.clear();
        probeLease(new LeaseProbe(leaseProbe.renewals() + 1, Set.of()));
        transaction++;
        slot = new ViewSlot(0, transaction, 0, Optional.empty());
        spoilt = false;
        membersMoved();
    }

    private long recorded() {
        return history.isEmpty() ? 0 : history.lastKey();
    }

    /** Writes an older view over the present one; if {@code whole}, the history goes back too. */
    public void restore(EstablishedView older, boolean whole) {
        transaction++;
        if (whole) {
            history.tailMap(older.number(), false).clear();
        }
        slot = new ViewSlot(
                slot.version() + 1, transaction, recorded() > older.number() ? recorded() : 0, Optional.of(older));
        List.copyOf(watchers).forEach(MemoryStore::changed);
    }

    /** Returns all that the store holds now. */
    public Backup backup() {
        return new Backup(
                Map.copyOf(members),
                Map.copyOf(acknowledgements),
                new TreeMap<>(history),
                Set.copyOf(sessions.keySet()),
                leaseProbe,
                transaction,
                sequence,
                slot);
    }

    /**
     * Goes back to an earlier state, as restored servers do: transaction ids repeat, and sessions of that time are back until they expire.
     * {@link MemoryStore#refuse} is to be called before for each client.
     */
    public void restore(Backup backup, long sessionMillis) {
        restores++;
        sessions.keySet().forEach(this::suspendExpiry);
        sessions.clear();
        backup.sessions.forEach(session -> sessions.put(session, time.after(sessionMillis, () -> end(session))));
        members.clear();
        backup.members.values().stream()
                .sorted(Comparator.comparingLong(Member::seniority))
                .forEach(member -> members.put(member.node(), member));
        acknowledgements.clear();
        acknowledgements.putAll(backup.acknowledgements);
        shared.clear();
        history.clear();
        history.putAll(backup.history);
        probeLease(backup.leaseProbe);
        transaction = backup.transaction;
        sequence = backup.sequence;
        slot = backup.slot;
        spoilt = false;
        membersMoved();
    }

    /** Returns how often the servers were restored: what was on its way to the earlier ones does not arrive. */
    int restores() {
        return restores;
    }

    /** What a store held at one time. */
    public static final class Backup {

        private final Map<String, Member> members;
        private final Map<Long, Acknowledgement> acknowledgements;
        private final TreeMap<Long, HistoryEntry> history;
        private final Set<Long> sessions;
        private final LeaseProbe leaseProbe;
        private final long transaction;
        private final int sequence;
        private final ViewSlot slot;

        private Backup(
                Map<String, Member> members,
                Map<Long, Acknowledgement> acknowledgements,
                TreeMap<Long, HistoryEntry> history,
                Set<Long> sessions,
                LeaseProbe leaseProbe,
                long transaction,
                int sequence,
                ViewSlot slot) {
            this.members = members;
            this.acknowledgements = acknowledgements;
            this.history = history;
            this.sessions = sessions;
            this.leaseProbe = leaseProbe;
            this.transaction = transaction;
            this.sequence = sequence;
            this.slot = slot;
        }

        /** Returns the view that the store held. */
        public Optional<EstablishedView> view() {
            return slot.view();
        }
    }

    /** Shows other clusters of the same store to all instances. */
    public void showClusters(List<RemoteCluster> clusters) {
        others = Optional.of(List.copyOf(clusters));
        List.copyOf(watchers).forEach(MemoryStore::othersChanged);
    }

    /** Returns the other clusters of the same store; empty before any were shown. */
    Optional<List<RemoteCluster>> others() {
        return others;
    }

    /** Returns how many sessions have not ended. */
    public int sessions() {
        return sessions.size();
    }

    /** Returns the history of views, oldest first. */
    public List<HistoryEntry> history() {
        return List.copyOf(history.values());
    }

    /** Overwrites an entry of the history with unreadable data. */
    public void spoilHistory(long number) {
        spoiltEntries.add(number);
    }

    /** Repairs all overwritten entries. */
    public void mendHistory() {
        spoiltEntries.clear();
    }

    HistoryReading readHistory(Set<Long> known) {
        readings++;
        List<HistoryEntry> entries = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        history.forEach((number, entry) -> {
            if (spoiltEntries.contains(number)) {
                problems.add("The history entry " + number + " cannot be read.");
            } else if (!known.contains(number)) {
                entries.add(entry);
            }
        });
        return new HistoryReading(history.keySet(), entries, problems);
    }

    Set<Acknowledgement> readAcknowledgements() {
        acknowledgementReadings++;
        return Set.copyOf(acknowledgements.values());
    }

    StoreTree readTree() {
        readings++;
        List<StoreTree.Node> nodes = new ArrayList<>();
        slot.view()
                .ifPresent(view -> nodes.add(node(
                        "/view",
                        "view",
                        Optional.empty(),
                        List.of(new StoreTree.Field("number", "" + view.number())))));
        members.values()
                .forEach(member -> nodes.add(node(
                        "/members/" + member.node(),
                        "member",
                        Optional.of(Long.toHexString(member.session())),
                        fields(member))));
        history.keySet()
                .forEach(number -> nodes.add(node("/history/" + number, "history entry", Optional.empty(), List.of())));
        return new StoreTree(time.now(), nodes.subList(0, Math.min(nodes.size(), StoreInspector.TREE_LIMIT)), true);
    }

    /** Returns how often the history or the tree was read. */
    public long readings() {
        return readings;
    }

    /** Returns how often the acknowledgements were read for display. */
    public long acknowledgementReadings() {
        return acknowledgementReadings;
    }

    private static List<StoreTree.Field> fields(Member member) {
        List<StoreTree.Field> fields = new ArrayList<>();
        fields.add(new StoreTree.Field("instanceId", member.instanceId()));
        member.record()
                .properties()
                .forEach((name, value) ->
                        fields.add(new StoreTree.Field("properties." + name, Secrets.masked(name, value))));
        return fields;
    }

    private static StoreTree.Node node(
            String path, String kind, Optional<String> session, List<StoreTree.Field> record) {
        return new StoreTree.Node(
                path, kind, session.map(id -> "0x" + id), 0, "0x0", 0, 0, 0, record, Optional.empty());
    }

    private void probeLease(LeaseProbe next) {
        leaseProbe = next;
        leaseProbes.put(time.now(), next);
    }

    /** Returns the lease probe of a server that was up to date at that time. */
    LeaseProbe leaseProbeAt(long millis) {
        Map.Entry<Long, LeaseProbe> known = leaseProbes.floorEntry(millis);
        return known == null ? new LeaseProbe(0, Set.of()) : known.getValue();
    }

    /** Ends a session early, as the servers may do at any time. */
    public void endEarly(long session) {
        end(session);
    }

    boolean isAlive(long session) {
        return sessions.containsKey(session);
    }

    /** Opens a session without a time limit until {@link #startExpiry} sets one. */
    long newSession() {
        lastSession++;
        sessions.put(lastSession, time.after(0, () -> {}));
        return lastSession;
    }

    /** Suspends the expiry of a session, because its owner is connected. */
    void suspendExpiry(long session) {
        VirtualTime.Task expiry = sessions.get(session);
        if (expiry != null) {
            expiry.cancel();
        }
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

    void end(long session) {
        if (sessions.remove(session) != null) {
            transaction++;
            Set<String> gone = new HashSet<>();
            members.values().stream()
                    .filter(member -> member.session() == session)
                    .forEach(member -> gone.add(member.node()));
            members.keySet().removeAll(gone);
            if (shared.remove(session) != null) {
                List.copyOf(watchers).forEach(MemoryStore::announced);
            }
            boolean acknowledged = acknowledgements.remove(session) != null;
            if (!gone.isEmpty()) {
                membersMoved();
            } else if (acknowledged) {
                List.copyOf(watchers).forEach(MemoryStore::acknowledged);
            }
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
        shared.forEach((session, contents) -> members.values().stream()
                .filter(member -> member.session() == session)
                .forEach(member -> contents.forEach((owner, content) ->
                        all.add(new SharedAnnouncement(member.instanceId(), true, owner, content)))));
        return all;
    }

    void watch(MemoryStore store) {
        if (!watchers.contains(store)) {
            watchers.add(store);
        }
    }

    void unwatch(MemoryStore store) {
        watchers.remove(store);
    }

    StoreSnapshot snapshot(boolean withAcknowledgements) {
        return new StoreSnapshot(
                clusterId(),
                List.copyOf(members.values()),
                slot,
                withAcknowledgements ? Optional.of(Set.copyOf(acknowledgements.values())) : Optional.empty(),
                Optional.empty(),
                spoilt ? List.of("the view cannot be read") : List.of());
    }

    Outcome execute(Request request, long session) {
        requests++;
        if (denied.contains(request.kind())) {
            return Outcome.rejected("access is denied");
        }
        if (request instanceof Request.Announce announce) {
            return create(announce.record(), session);
        } else if (request instanceof Request.Delete delete) {
            return delete(delete.note(), session);
        } else if (request instanceof Request.Update update) {
            return update(update.node(), update.record());
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return acknowledge(new Acknowledgement(acknowledge.node(), acknowledge.number()), session);
        } else if (request instanceof Request.Publish publish) {
            return publish(publish);
        } else if (request instanceof Request.Renew renew) {
            return renew(renew);
        }
        return Outcome.DONE;
    }

    private Outcome create(MemberRecord record, long session) {
        transaction++;
        String node = String.format("m-%016x-%010d", ++created * 0x9E3779B97F4A7C15L, sequence++);
        members.put(node, new Member(node, transaction, time.now(), session, record));
        seniorities.put(node, transaction);
        membersMoved();
        return Outcome.DONE;
    }

    private Outcome renew(Request.Renew renew) {
        if (!members.containsKey(renew.node()) || slot.version() != renew.slotVersion()) {
            return Outcome.overtaken("no node " + renew.node() + " or not version " + renew.slotVersion());
        }
        transaction++;
        probeLease(leaseProbe.renewed(renew.renewal()));
        return Outcome.DONE;
    }

    private Outcome delete(DepartureNote note, long session) {
        if (members.remove(note.node()) != null) {
            transaction++;
            acknowledgements.computeIfPresent(
                    session, (own, last) -> last.node().equals(note.node()) ? null : last);
            if (slot.view().filter(view -> view.contains(note.node())).isPresent()) {
                Set<DepartureNote> notes = new HashSet<>(leaseProbe.notes());
                notes.add(note);
                probeLease(leaseProbe.withNotes(notes));
            }
            membersMoved();
        }
        return Outcome.DONE;
    }

    private Outcome update(String node, MemberRecord record) {
        Member old = members.get(node);
        if (old == null) {
            return Outcome.overtaken("no node " + node);
        }
        transaction++;
        members.put(node, new Member(node, old.seniority(), old.createdMillis(), old.session(), record));
        membersMoved();
        return Outcome.DONE;
    }

    private Outcome acknowledge(Acknowledgement acknowledgement, long session) {
        if (!members.containsKey(acknowledgement.node())) {
            return Outcome.overtaken("no node " + acknowledgement.node());
        }
        transaction++;
        acknowledgements.put(session, acknowledgement);
        watchers.forEach(MemoryStore::acknowledged);
        return Outcome.DONE;
    }

    private Outcome publish(Request.Publish publish) {
        boolean anyVersion = publish.expectedVersion() < 0;
        if (!anyVersion && publish.expectedVersion() != slot.version()) {
            return Outcome.overtaken("version is " + slot.version() + " and not " + publish.expectedVersion());
        }
        if (history.containsKey(publish.next().number())) {
            return Outcome.overtaken(
                    "there is a history entry " + publish.next().number());
        }
        if (!members.containsKey(publish.node())) {
            return Outcome.overtaken("no node " + publish.node());
        }
        if (publish.renewals().isPresent() && publish.renewals().getAsLong() != leaseProbe.renewals()) {
            return Outcome.overtaken("the lease has been renewed " + leaseProbe.renewals() + " times");
        }
        transaction++;
        slot = new ViewSlot(slot.version() + 1, transaction, 0, Optional.of(publish.next()));
        spoilt = false;
        Set<DepartureNote> notes = new HashSet<>(leaseProbe.notes());
        notes.removeAll(publish.heard());
        LeaseProbe left = leaseProbe.withNotes(notes);
        probeLease(publish.byNextLeader() ? left.renewed(publish.renewal()) : left);
        history.put(publish.next().number(), publish.entry());
        if (history.size() > HISTORY_LIMIT) {
            history.pollFirstEntry();
        }
        publications.forEach(observer -> observer.accept(publish.next()));
        List.copyOf(watchers).forEach(MemoryStore::changed);
        return Outcome.DONE;
    }

    private void membersMoved() {
        membershipChangedAt = time.now();
        List.copyOf(watchers).forEach(MemoryStore::changed);
    }
}
