// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver.Announcements;
import io.github.discoveryzk.testing.RecordingObserver.Completed;
import io.github.discoveryzk.testing.RecordingObserver.Connected;
import io.github.discoveryzk.testing.RecordingObserver.Observed;
import io.github.discoveryzk.testing.RecordingObserver.Received;
import io.github.discoveryzk.testing.RecordingObserver.Remotes;
import io.github.discoveryzk.testing.RecordingObserver.Troubled;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** An instance of a test: one store with the calls to its observer. It makes requests, and waits for what a test expects. */
public final class Witness implements AutoCloseable {
    private final String id;
    private final ClusterStore store;
    private final Consumer<BooleanSupplier> waiting;
    final RecordingObserver observer = new RecordingObserver();
    final List<Request> asked = new CopyOnWriteArrayList<>();

    /** The member node that {@link #join} has created, which may have gone. */
    Member member;

    /** Whether the store cannot reach the servers, or is closed. */
    boolean unreachable;

    /**
     * Creates an instance whose store is not open yet.
     *
     * @param waiting returns when a condition holds, and fails if it does not within a generous time
     */
    public Witness(String id, ClusterStore store, Consumer<BooleanSupplier> waiting) {
        this.id = id;
        this.store = store;
        this.waiting = waiting;
    }

    public Witness open() {
        store.board().follow(observer);
        store.open(observer);
        return this;
    }

    @Override
    public void close() {
        unreachable = true;
        store.close();
    }

    public ClusterStore store() {
        return store;
    }

    public long session() {
        return observer.last(Connected.class).map(Connected::session).orElse(0L);
    }

    public List<Received> calls() {
        return observer.calls();
    }

    public <T extends Received> List<T> calls(Class<T> type) {
        return observer.all(type);
    }

    /** Returns all snapshots, the oldest first. */
    public List<StoreSnapshot> snapshots() {
        return snapshots(calls());
    }

    private static List<StoreSnapshot> snapshots(List<Received> calls) {
        return calls.stream()
                .filter(Observed.class::isInstance)
                .map(call -> ((Observed) call).snapshot())
                .toList();
    }

    /** Returns the last snapshot since the last connect. */
    public StoreSnapshot snapshot() {
        return last(sinceLastConnect()).orElseThrow();
    }

    StoreSnapshot firstAfterLastConnected() {
        return sinceLastConnect().get(0);
    }

    private List<StoreSnapshot> sinceLastConnect() {
        List<Received> all = calls();
        int connected = observer.last(Connected.class).map(all::lastIndexOf).orElse(all.size());
        return snapshots(all.subList(Math.max(0, connected), all.size()));
    }

    private static <T> Optional<T> last(List<T> all) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    public StoreSnapshot awaitSnapshot(Predicate<StoreSnapshot> condition) {
        waiting.accept(() -> last(sinceLastConnect()).filter(condition).isPresent());
        return snapshot();
    }

    /** Waits until that many members, and no others, are readable. */
    public StoreSnapshot awaitMembers(int count) {
        return awaitSnapshot(seen -> seen.members().size() == count);
    }

    void awaitView(EstablishedView view) {
        awaitSnapshot(seen -> seen.view().equals(Optional.of(view)));
    }

    void awaitAcknowledgements(Acknowledgement... all) {
        awaitSnapshot(seen -> seen.acknowledgements().equals(Optional.of(Set.of(all))));
    }

    /** Waits until exactly these announcements are shared in the local cluster; stores of earlier tests may be beside it. */
    void awaitAnnouncements(SharedAnnouncement... all) {
        waiting.accept(() -> announcements().stream()
                .filter(SharedAnnouncement::ownCluster)
                .toList()
                .equals(List.of(all)));
    }

    public <T extends Received> void awaitCall(Class<T> type, Predicate<T> condition) {
        waiting.accept(() -> calls(type).stream().anyMatch(condition));
    }

    public void awaitConnects(int count) {
        waiting.accept(() -> calls(Connected.class).size() == count);
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

    /** Sends a request, and does not wait for its outcome. */
    Request send(Request request) {
        asked.add(request);
        store.request(request);
        return request;
    }

    /** Sends a request, and returns its outcome. */
    public Outcome ask(Request request) {
        int before = outcomes(request).size();
        send(request);
        waiting.accept(() -> outcomes(request).size() > before);
        return last(outcomes(request)).orElseThrow();
    }

    void ask(Request request, Status expected) {
        assertThat(ask(request))
                .extracting(Outcome::status)
                .as("of %s", request)
                .isEqualTo(expected);
    }

    /** Sends a request, which must succeed. */
    public void perform(Request request) {
        ask(request, Status.DONE);
    }

    List<Outcome> outcomes(Request request) {
        return calls(Completed.class).stream()
                .filter(reply -> reply.request() == request)
                .map(Completed::outcome)
                .toList();
    }

    public MemberRecord record(Map<String, String> properties) {
        return MemberRecord.of(id, new ProcessInfo(Samples.runtimeId(id), "host", 1, "/home", 0), properties);
    }

    /** Creates the member node. */
    public Member join() {
        awaitSnapshot(any -> true);
        perform(new Request.Announce(record(Map.of())));
        awaitSnapshot(seen -> seen.owned(Samples.runtimeId(id), session()).isPresent());
        member = own();
        return member;
    }

    public Member own() {
        return snapshot().owned(Samples.runtimeId(id), session()).orElseThrow();
    }

    void leave(LeaveRecord.Kind kind) {
        perform(new Request.Delete(LeaveRecord.own(member.node(), kind)));
    }

    /** Returns the request of a member that is being stopped. */
    public static Request.Delete leaving(Member member) {
        return new Request.Delete(LeaveRecord.own(member.node(), LeaveRecord.Kind.STOPPED));
    }

    /** Rewrites the record with these properties. */
    public MemberRecord update(Map<String, String> properties) {
        MemberRecord next = record(properties);
        perform(new Request.Update(own().node(), next));
        return next;
    }

    Acknowledgement acknowledge(long number) {
        perform(new Request.Acknowledge(member.node(), number));
        return new Acknowledgement(member.node(), number);
    }

    /** Returns a renewal of the lease over the view that was observed last. */
    public Request renewal() {
        return new Request.Renew(own().node(), snapshot().slot().version(), 9_000);
    }

    /** Returns what a lease probe reads now. */
    public LeaseProbe leaseProbe() {
        perform(new Request.ProbeLease());
        return snapshot().leaseProbe().orElseThrow();
    }

    /** Returns the publication of the next view, with that node as its only member. */
    public Request.Publish publication(String node) {
        return publication(node, node);
    }

    /** Returns the publication of the next view by a node that need not lead it. */
    public Request.Publish publication(String leader, String node, LeaveRecord... leaveRecords) {
        return Samples.publication(new Incarnation(leader, id), node, snapshot().slot(), Set.of(leaveRecords));
    }

    /** Publishes a view that this instance leads. */
    EstablishedView publish(ViewSlot over, Status expected) {
        Request.Publish publication = Samples.publication(member, over);
        ask(publication, expected);
        return publication.next();
    }

    /** Publishes the next view, with this instance as its only member, and waits until it is observed. */
    public EstablishedView publishNext() {
        Request.Publish next = publication(own().node());
        perform(next);
        awaitView(next.next());
        return next.next();
    }

    /** Checks the newest snapshot at the time of the last reply. */
    void assertObservedBeforeLastOutcome(Predicate<StoreSnapshot> condition) {
        List<Received> all = calls();
        int completed = all.lastIndexOf(observer.last(Completed.class).orElseThrow());
        assertThat(last(snapshots(all.subList(0, completed)))).hasValueSatisfying(seen -> assertThat(condition)
                .as("snapshot known when the request was completed: %s", seen)
                .accepts(seen));
    }

    boolean isCompleted() {
        return calls(Completed.class).size() >= asked.size();
    }

    /** Checks what holds for each observer at any time. */
    public void assertLawful() {
        observer.assertLawful();
    }
}
