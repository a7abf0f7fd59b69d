// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.LeaveRecord;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.RecordingObserver;
import org.apache.sling.discovery.testing.RecordingObserver.Announcements;
import org.apache.sling.discovery.testing.RecordingObserver.Call;
import org.apache.sling.discovery.testing.RecordingObserver.Completed;
import org.apache.sling.discovery.testing.RecordingObserver.Connected;
import org.apache.sling.discovery.testing.RecordingObserver.Observed;
import org.apache.sling.discovery.testing.RecordingObserver.Remotes;
import org.apache.sling.discovery.testing.RecordingObserver.Troubled;
import org.awaitility.Awaitility;

/** An instance of a test: opens a store, records the calls it gets, and waits for what a test expects. */
public final class Witness implements AutoCloseable {
    public static final Duration LONG = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 20));

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    private final String id;
    private final ClusterStore store;
    private final RecordingObserver observer = new RecordingObserver();

    public Witness(String id, ClusterStore store) {
        this.id = id;
        this.store = store;
        store.board().follow(observer);
        store.open(observer);
    }

    public ClusterStore store() {
        return store;
    }

    /** Checks what holds for each observer at any time. */
    public void assertLawful() {
        observer.assertLawful();
    }

    public long session() {
        return observer.last(Connected.class).map(Connected::session).orElse(0L);
    }

    public List<Call> calls() {
        return observer.calls();
    }

    public <T extends Call> List<T> calls(Class<T> type) {
        return observer.all(type);
    }

    /** Returns all snapshots, the oldest first. */
    public List<StoreSnapshot> snapshots() {
        return calls(Observed.class).stream().map(Observed::snapshot).toList();
    }

    /** Returns the last snapshot since the last connect. */
    public Optional<StoreSnapshot> snapshot() {
        List<Call> all = calls();
        for (int i = all.size() - 1; i >= 0 && !(all.get(i) instanceof Connected); i--) {
            if (all.get(i) instanceof Observed observed) {
                return Optional.of(observed.snapshot());
            }
        }
        return Optional.empty();
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
        return observer.last(Remotes.class).map(Remotes::clusters).orElse(List.of());
    }

    /** Returns the shared announcements as they were reported last. */
    public List<SharedAnnouncement> announcements() {
        return observer.last(Announcements.class).map(Announcements::all).orElse(List.of());
    }

    public <T extends Call> void awaitCall(Class<T> type, Predicate<T> what) {
        await().atMost(LONG).until(() -> calls(type).stream().anyMatch(what));
    }

    public Outcome ask(Request request) {
        int before = replies(request).size();
        store.request(request);
        await().atMost(LONG).until(() -> replies(request).size() > before);
        List<Completed> all = replies(request);
        return all.get(all.size() - 1).outcome();
    }

    private List<Completed> replies(Request request) {
        return calls(Completed.class).stream()
                .filter(reply -> reply.request() == request)
                .toList();
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

    /** Rewrites the record of the local member with these properties. */
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
        return new Request.Delete(LeaveRecord.own(member.node(), LeaveRecord.Kind.STOPPED));
    }

    /** The next view, with that node as its only member. */
    public Request.Publish publication(String node) {
        return publication(node, node);
    }

    /** The next view, published by a node that need not lead it. */
    public Request.Publish publication(String leader, String node, LeaveRecord... notes) {
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
