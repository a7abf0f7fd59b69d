// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What a store holds, and what each {@link Request} does to it, without time, sessions and messages in transit. Immutable: a part
 * that a change leaves alone is the same object afterwards.
 *
 * @param members the member nodes by seniority
 * @param acknowledgements the last acknowledgement of each session: it ends with the session, and not with the member node
 * @param suspicions the suspicions, each with the session that owns it
 * @param history the newest entries of the history, by number
 * @param transaction the id of the last transaction
 * @param created how many member nodes were ever created
 */
public record Content(
        List<Member> members,
        Map<Long, Acknowledgement> acknowledgements,
        Map<Suspicion, Long> suspicions,
        SortedMap<Long, HistoryEntry> history,
        LeaseProbe leaseProbe,
        ViewSlot slot,
        long transaction,
        int created) {

    static final int HISTORY_LIMIT = 20;

    private static final long FIRST_TRANSACTION = 100;

    /** Returns an empty store. */
    public static Content empty() {
        return new Content(
                List.of(),
                Map.of(),
                Map.of(),
                new TreeMap<>(),
                new LeaseProbe(0, Set.of()),
                new ViewSlot(0, FIRST_TRANSACTION, 0, Optional.empty()),
                FIRST_TRANSACTION,
                0);
    }

    /** The outcome of a request, and what the store holds after it. */
    public record Executed(Content content, Outcome outcome) {}

    /**
     * Executes a request as one transaction.
     *
     * @param session the session of the instance that asks
     * @param millis the time
     * @param names the name of a new member node, by the number of nodes created before
     */
    public Executed execute(Request request, long session, long millis, IntFunction<String> names) {
        if (request instanceof Request.Announce announce) {
            Member created = new Member(names.apply(this.created), transaction + 1, millis, session, announce.record());
            List<Member> more = new ArrayList<>(members);
            more.add(created);
            return done(with(List.copyOf(more), acknowledgements).withCreated(this.created + 1));
        } else if (request instanceof Request.Delete delete) {
            return done(delete(delete.leaveRecord(), session));
        } else if (request instanceof Request.Update update) {
            return isLive(update.node()) ? done(update(update)) : noNode(update.node());
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return isLive(acknowledge.node()) ? done(acknowledge(acknowledge, session)) : noNode(acknowledge.node());
        } else if (request instanceof Request.Publish publish) {
            return publish(publish);
        } else if (request instanceof Request.Renew renew) {
            return isLive(renew.node()) && slot.version() == renew.slotVersion()
                    ? done(with(leaseProbe.renewed(renew.renewal())))
                    : overtaken("no node " + renew.node() + " or not version " + renew.slotVersion());
        } else if (request instanceof Request.Suspect suspect) {
            return suspect(suspect.suspicion(), session);
        } else if (request instanceof Request.Refute refute) {
            return done(without(refute.suspicion()));
        } else if (request instanceof Request.Withdraw withdraw) {
            return done(without(withdraw.suspicion()));
        } else if (request instanceof Request.Convict convict) {
            return suspicions.containsKey(convict.suspicion())
                            && isLive(convict.leaveRecord().node())
                    ? done(without(convict.suspicion()).delete(convict.leaveRecord(), session))
                    : overtaken("no suspicion " + convict.suspicion());
        }
        return done(this);
    }

    private Executed suspect(Suspicion suspicion, long session) {
        if (suspicions.containsKey(suspicion)) {
            return overtaken("there is a " + suspicion);
        }
        if (!isLive(suspicion.node()) || !isLive(suspicion.by())) {
            return overtaken("no nodes of " + suspicion);
        }
        Map<Suspicion, Long> more = new HashMap<>(suspicions);
        more.put(suspicion, session);
        return done(withSuspicions(more));
    }

    private Content without(Suspicion suspicion) {
        Map<Suspicion, Long> left = new HashMap<>(suspicions);
        return left.remove(suspicion) == null ? this : withSuspicions(left);
    }

    Content withSuspicions(Map<Suspicion, Long> others) {
        return new Content(
                members, acknowledgements, Map.copyOf(others), history, leaseProbe, slot, transaction, created);
    }

    private Executed done(Content next) {
        return new Executed(next == this ? this : next.withTransaction(), Outcome.DONE);
    }

    private Executed overtaken(String why) {
        return new Executed(this, Outcome.overtaken(why));
    }

    private Executed noNode(String node) {
        return overtaken("no node " + node);
    }

    /** Returns the number of nodes that belong to a member or grow with time. */
    int size() {
        return members.size()
                + acknowledgements.size()
                + suspicions.size()
                + history.size()
                + leaseProbe.leaveRecords().size();
    }

    public boolean isLive(String node) {
        return members.stream().anyMatch(member -> member.node().equals(node));
    }

    /** Returns the content after the end of a session. */
    public Content ended(long session) {
        Content left = without(member -> member.session() == session);
        if (acknowledgements.containsKey(session)) {
            left = left.withoutAcknowledgement(session);
        }
        Map<Suspicion, Long> standing = new HashMap<>(suspicions);
        if (standing.values().removeIf(owner -> owner == session)) {
            left = left.withSuspicions(standing);
        }
        return left.withTransaction();
    }

    private Content without(Predicate<Member> gone) {
        List<Member> left = members.stream().filter(gone.negate()).toList();
        return left.size() == members.size() ? this : with(left, acknowledgements);
    }

    private Content withoutAcknowledgement(long session) {
        Map<Long, Acknowledgement> known = new HashMap<>(acknowledgements);
        known.remove(session);
        return with(members, known);
    }

    private Content delete(LeaveRecord leaveRecord, long session) {
        Content left = without(member -> member.node().equals(leaveRecord.node()));
        if (left == this) {
            return this;
        }
        Acknowledgement own = acknowledgements.get(session);
        if (own != null && own.node().equals(leaveRecord.node())) {
            left = left.withoutAcknowledgement(session);
        }
        if (slot.view().filter(view -> view.contains(leaveRecord.node())).isEmpty()) {
            return left;
        }
        Set<LeaveRecord> leaveRecords = new HashSet<>(leaseProbe.leaveRecords());
        leaveRecords.add(leaveRecord);
        return left.with(leaseProbe.withLeaveRecords(leaveRecords));
    }

    private Content update(Request.Update update) {
        List<Member> next = members.stream()
                .map(old -> old.node().equals(update.node()) ? old.withRecord(update.record()) : old)
                .toList();
        return with(next, acknowledgements);
    }

    private Content acknowledge(Request.Acknowledge acknowledge, long session) {
        Map<Long, Acknowledgement> more = new HashMap<>(acknowledgements);
        more.put(session, new Acknowledgement(acknowledge.node(), acknowledge.number()));
        return with(members, more);
    }

    private Executed publish(Request.Publish publish) {
        if (publish.expectedVersion() >= 0 && publish.expectedVersion() != slot.version()) {
            return overtaken("version is " + slot.version() + " and not " + publish.expectedVersion());
        } else if (history.containsKey(publish.next().number())) {
            return overtaken("there is a history entry " + publish.next().number());
        } else if (!isLive(publish.node())) {
            return noNode(publish.node());
        } else if (publish.renewals().orElse(leaseProbe.renewals()) != leaseProbe.renewals()) {
            return overtaken("the lease has been renewed " + leaseProbe.renewals() + " times");
        }
        Set<LeaveRecord> leaveRecords = new HashSet<>(leaseProbe.leaveRecords());
        leaveRecords.removeAll(publish.heard());
        LeaseProbe left = leaseProbe.withLeaveRecords(leaveRecords);
        TreeMap<Long, HistoryEntry> more = new TreeMap<>(history);
        more.put(publish.next().number(), publish.entry());
        if (more.size() > HISTORY_LIMIT) {
            more.pollFirstEntry();
        }
        return done(with(publish.byNextLeader() ? left.renewed(publish.renewal()) : left)
                .withHistory(more)
                .with(new ViewSlot(slot.version() + 1, transaction + 1, 0, Optional.of(publish.next()))));
    }

    /** Returns the content after another client has overwritten the view. */
    Content withView(Optional<EstablishedView> view) {
        long newest = history.isEmpty() ? 0 : history.lastKey();
        long recorded = newest > view.map(EstablishedView::number).orElse(0L) ? newest : 0;
        return with(new ViewSlot(slot.version() + 1, transaction + 1, recorded, view))
                .withTransaction();
    }

    /** Returns the content after another client has deleted everything; an instance has made the tree again. */
    Content afterDeletion() {
        return new Content(
                List.of(),
                Map.of(),
                Map.of(),
                new TreeMap<>(),
                new LeaseProbe(leaseProbe.renewals() + 1, Set.of()),
                new ViewSlot(0, transaction + 1, 0, Optional.empty()),
                transaction + 1,
                created);
    }

    Content withCreated(int number) {
        return new Content(members, acknowledgements, suspicions, history, leaseProbe, slot, transaction, number);
    }

    Content withTransaction() {
        return new Content(members, acknowledgements, suspicions, history, leaseProbe, slot, transaction + 1, created);
    }

    private Content with(ViewSlot next) {
        return new Content(members, acknowledgements, suspicions, history, leaseProbe, next, transaction, created);
    }

    Content withHistory(SortedMap<Long, HistoryEntry> other) {
        return new Content(members, acknowledgements, suspicions, other, leaseProbe, slot, transaction, created);
    }

    private Content with(LeaseProbe next) {
        return new Content(members, acknowledgements, suspicions, history, next, slot, transaction, created);
    }

    Content withAcknowledgements(Map<Long, Acknowledgement> others) {
        return with(members, others);
    }

    private Content with(List<Member> nextMembers, Map<Long, Acknowledgement> nextAcknowledgements) {
        return new Content(
                nextMembers, nextAcknowledgements, suspicions, history, leaseProbe, slot, transaction, created);
    }

    /** Returns what instances see. */
    public StoreSnapshot snapshot(String cluster, boolean withAcknowledgements, List<String> problems) {
        return new StoreSnapshot(
                cluster,
                FormatRange.CURRENT,
                StoreSnapshot.Live.of(members, List.of()),
                slot,
                withAcknowledgements ? Optional.of(Set.copyOf(acknowledgements.values())) : Optional.empty(),
                Optional.empty(),
                suspicions.keySet(),
                problems);
    }
}
