// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.commons.spi.AnnouncementBoard;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.awaitility.Awaitility;

/** An instance of a test: opens a store, records the calls it gets, and waits for what a test expects. */
public final class Witness implements StoreObserver, AnnouncementBoard.Observer, AutoCloseable {
    public static final Duration LONG = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 20));

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    private final String id;
    private final ClusterStore store;
    private final List<Object> calls = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private StoreSnapshot snapshot;
    private long session;
    private volatile boolean overlapped;

    public Witness(String id, ClusterStore store) {
        this.id = id;
        this.store = store;
        store.board().follow(this);
        store.open(this);
    }

    public record Connected(long session, int timeout) {}

    public record Suspended() {}

    public record Expired() {}

    public record Troubled(String sentence) {}

    public record Remotes(List<RemoteCluster> clusters) {}

    public record Announcements(List<SharedAnnouncement> all) {}

    public record Completed(Request request, Outcome outcome) {}

    @Override
    public void connected(long id, int sessionTimeoutMillis) {
        add(new Connected(id, sessionTimeoutMillis));
    }

    @Override
    public void suspended() {
        add(new Suspended());
    }

    @Override
    public void expired() {
        add(new Expired());
    }

    @Override
    public void observed(StoreSnapshot one) {
        add(one);
    }

    @Override
    public void remotesObserved(List<RemoteCluster> clusters) {
        add(new Remotes(clusters));
    }

    @Override
    public void announcementsObserved(List<SharedAnnouncement> announcements) {
        add(new Announcements(announcements));
    }

    @Override
    public void completed(Request request, Outcome outcome) {
        add(new Completed(request, outcome));
    }

    @Override
    public void troubled(String sentence) {
        add(new Troubled(sentence));
    }

    private void add(Object what) {
        if (inside.incrementAndGet() != 1) {
            overlapped = true;
        }
        synchronized (calls) {
            calls.add(what);
            if (what instanceof StoreSnapshot one) {
                snapshot = one;
            } else if (what instanceof Connected connected) {
                session = connected.session();
                snapshot = null;
            }
        }
        inside.decrementAndGet();
    }

    public ClusterStore store() {
        return store;
    }

    public boolean overlapped() {
        return overlapped;
    }

    public long session() {
        synchronized (calls) {
            return session;
        }
    }

    public List<Object> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    public <T> List<T> calls(Class<T> type) {
        return calls().stream().filter(type::isInstance).map(type::cast).toList();
    }

    public Optional<StoreSnapshot> snapshot() {
        synchronized (calls) {
            return Optional.ofNullable(snapshot);
        }
    }

    public StoreSnapshot awaitSnapshot(Predicate<StoreSnapshot> what) {
        await().atMost(LONG).until(() -> snapshot().filter(what).isPresent());
        return snapshot().get();
    }

    /** Waits until that many members, and no others, are readable. */
    public StoreSnapshot awaitMembers(int count) {
        return awaitSnapshot(all -> all.members().size() == count);
    }

    public void awaitConnects(int count) {
        await().atMost(LONG).until(() -> calls(Connected.class).size() == count);
    }

    public void awaitTrouble(String part) {
        awaitCall(Troubled.class, trouble -> trouble.sentence().contains(part));
    }

    /** Returns the troubles that were reported, the oldest first; an empty one is the end of all before. */
    public List<String> troubles() {
        return calls(Troubled.class).stream().map(Troubled::sentence).toList();
    }

    /** Returns the other clusters as they were reported last. */
    public List<RemoteCluster> remotes() {
        List<Remotes> all = calls(Remotes.class);
        return all.isEmpty() ? List.of() : all.get(all.size() - 1).clusters();
    }

    /** Returns the shared announcements as they were reported last. */
    public List<SharedAnnouncement> announcements() {
        List<Announcements> all = calls(Announcements.class);
        return all.isEmpty() ? List.of() : all.get(all.size() - 1).all();
    }

    public <T> void awaitCall(Class<T> type, Predicate<T> what) {
        await().atMost(LONG).until(() -> calls(type).stream().anyMatch(what));
    }

    public Outcome ask(Request request) {
        long before = replies(request);
        store.request(request);
        await().atMost(LONG).until(() -> replies(request) > before);
        List<Completed> all = calls(Completed.class);
        return all.stream()
                .filter(reply -> reply.request() == request)
                .reduce((first, second) -> second)
                .get()
                .outcome();
    }

    private long replies(Request request) {
        return calls(Completed.class).stream()
                .filter(reply -> reply.request() == request)
                .count();
    }

    /** Asks and insists on success. */
    public void perform(Request request) {
        Outcome outcome = ask(request);
        if (outcome.status() != Status.DONE) {
            throw new AssertionError(request + " had the outcome " + outcome);
        }
    }

    /** Returns what a lease probe reads now. */
    public LeaseProbe leaseProbe() {
        perform(new Request.ProbeLease());
        return snapshot().orElseThrow().leaseProbe().orElseThrow();
    }

    /** Rewrites the record of the own member with these properties. */
    public void update(Map<String, String> properties) {
        perform(new Request.Update(own().node(), record(properties)));
    }

    /** Publishes the next view, with this instance as its only member, and waits until it is observed. */
    public EstablishedView publishNext() {
        Request.Publish next = publication(own().node());
        perform(next);
        awaitSnapshot(all -> all.view().equals(Optional.of(next.next())));
        return next.next();
    }

    /** Renews the lease over the view that was observed last. */
    public Request renewal() {
        return new Request.Renew(own().node(), snapshot().orElseThrow().slot().version(), 9_000);
    }

    /** Creates the member node. */
    public Member join() {
        awaitSnapshot(any -> true);
        perform(new Request.Announce(record(Map.of())));
        return own();
    }

    public Member own() {
        return snapshot().flatMap(all -> all.owned("runtime-" + id, session())).orElseThrow();
    }

    public MemberRecord record(Map<String, String> properties) {
        return MemberRecord.of(id, new ProcessInfo("runtime-" + id, "host", 1, "/home", 0), properties);
    }

    /** The request of a member that is being stopped. */
    public static Request.Delete leaving(Member member) {
        return new Request.Delete(DepartureNote.own(member.node(), DepartureNote.Kind.STOPPED));
    }

    /** The next view, with that node as its only member. */
    public Request.Publish publication(String node) {
        return publication(node, node);
    }

    /** The next view, published by a node that need not lead it. */
    public Request.Publish publication(String leader, String node, DepartureNote... notes) {
        StoreSnapshot now = snapshot().orElseThrow();
        long previous = now.view().map(EstablishedView::number).orElse(0L);
        long number = now.slot().nextNumber();
        EstablishedView view = new EstablishedView(
                new ViewHead(number, previous, number, 10_000, 0, Reason.ofText("a test"), id),
                List.of(new Incarnation(leader, id)),
                Set.of());
        return new Request.Publish(
                view,
                now.slot().version(),
                node,
                new HistoryEntry(ViewDifference.between(now.view(), view), List.of(), 0, 0),
                Set.of(notes));
    }

    @Override
    public void close() {
        store.close();
    }
}
