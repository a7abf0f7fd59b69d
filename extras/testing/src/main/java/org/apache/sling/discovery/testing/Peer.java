// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import static org.apache.sling.discovery.testing.Samples.publication;
import static org.apache.sling.discovery.testing.Samples.record;
import static org.apache.sling.discovery.testing.Samples.withProperties;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.LeaveRecord;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.RecordingObserver.Announcements;
import org.apache.sling.discovery.testing.RecordingObserver.Completed;
import org.apache.sling.discovery.testing.RecordingObserver.Connected;
import org.apache.sling.discovery.testing.RecordingObserver.Observed;
import org.apache.sling.discovery.testing.RecordingObserver.Suspended;

/** One store with the calls to its observer. */
final class Peer {

    final ClusterStore store;
    final RecordingObserver observer = new RecordingObserver();
    private final String id;
    private final StoreUnderTest tested;
    private final List<Request> asked = new CopyOnWriteArrayList<>();
    Member member;
    private boolean unreachable;
    private boolean closed;

    Peer(String id, StoreUnderTest tested) {
        this.id = id;
        this.tested = tested;
        store = tested.newStore();
    }

    void open() {
        store.board().follow(observer);
        store.open(observer);
        tested.await(this::hasFreshSnapshot);
    }

    void close() {
        closed = true;
        store.close();
    }

    void interrupt() {
        int before = observer.all(Suspended.class).size();
        unreachable = true;
        tested.interrupt(store);
        tested.await(() -> observer.all(Suspended.class).size() > before);
    }

    void restore() {
        int before = observer.all(Connected.class).size();
        tested.restore(store);
        tested.await(() -> observer.all(Connected.class).size() > before);
        tested.await(this::hasFreshSnapshot);
        unreachable = false;
    }

    long session() {
        return observer.last(Connected.class).orElseThrow().session();
    }

    StoreSnapshot snapshot() {
        return observer.last(Observed.class).orElseThrow().snapshot();
    }

    boolean hasFreshSnapshot() {
        return observer.last(Connected.class)
                .filter(connected -> observer.calls().lastIndexOf(connected) < lastObserved())
                .isPresent();
    }

    private int lastObserved() {
        return observer.last(Observed.class)
                .map(observed -> observer.calls().lastIndexOf(observed))
                .orElse(-1);
    }

    StoreSnapshot firstAfterLastConnected() {
        List<RecordingObserver.Call> calls = observer.calls();
        int connected = calls.lastIndexOf(observer.last(Connected.class).orElseThrow());
        return snapshots(calls.subList(connected, calls.size())).get(0);
    }

    private static List<StoreSnapshot> snapshots(List<RecordingObserver.Call> calls) {
        return calls.stream()
                .filter(Observed.class::isInstance)
                .map(call -> ((Observed) call).snapshot())
                .toList();
    }

    void awaitSnapshot(Predicate<StoreSnapshot> condition) {
        tested.await(() -> condition.test(snapshot()));
    }

    void awaitAcknowledgements(Acknowledgement... all) {
        awaitSnapshot(seen -> seen.acknowledgements().equals(Optional.of(Set.of(all))));
    }

    /** Waits until exactly these announcements are shared in the local cluster, ordered by holder and owner. */
    void awaitAnnouncements(SharedAnnouncement... all) {
        tested.await(() -> announcements().equals(List.of(all)));
    }

    /** Returns the announcements of the local cluster; stores of earlier tests may be beside it. */
    List<SharedAnnouncement> announcements() {
        return observer.last(Announcements.class).map(Announcements::all).orElse(List.of()).stream()
                .filter(SharedAnnouncement::ownCluster)
                .toList();
    }

    Request ask(Request request) {
        asked.add(request);
        store.request(request);
        return request;
    }

    void ask(Request request, Status expected) {
        int before = outcomes(request).size();
        ask(request);
        tested.await(() -> outcomes(request).size() > before);
        assertThat(statusOf(request)).as("outcome of %s", request).isEqualTo(expected);
    }

    private List<Completed> outcomes(Request request) {
        return observer.all(Completed.class).stream()
                .filter(reply -> reply.request().equals(request))
                .toList();
    }

    Status statusOf(Request request) {
        List<Completed> all = outcomes(request);
        return all.get(all.size() - 1).outcome().status();
    }

    /** Creates a member node and keeps it as {@link #member}. */
    Member join() {
        ask(new Request.Announce(record(id)), Status.DONE);
        awaitSnapshot(seen -> seen.owned("run-" + id, session()).isPresent());
        member = snapshot().owned("run-" + id, session()).orElseThrow();
        return member;
    }

    void leave(LeaveRecord.Kind kind) {
        ask(new Request.Delete(LeaveRecord.own(member.node(), kind)), Status.DONE);
    }

    /** Rewrites its record with that property. */
    MemberRecord update(String value) {
        MemberRecord record = withProperties(member.record(), Map.of("p", value));
        ask(new Request.Update(member.node(), record), Status.DONE);
        return record;
    }

    Acknowledgement acknowledge(long number) {
        ask(new Request.Acknowledge(member.node(), number), Status.DONE);
        return new Acknowledgement(member.node(), number);
    }

    /** Renews the lease over the view that it sees. */
    void renew() {
        ask(new Request.Renew(member.node(), snapshot().slot().version(), 9_000), Status.DONE);
    }

    /** Publishes a view that it leads. */
    EstablishedView publish(ViewSlot over, Status expected) {
        Request.Publish publication = publication(member, over);
        ask(publication, expected);
        return publication.next();
    }

    /** Publishes a view that it leads over the one that it sees, and returns when it sees that. */
    EstablishedView publishNext() {
        EstablishedView next = publish(snapshot().slot(), Status.DONE);
        awaitSnapshot(seen -> seen.view().equals(Optional.of(next)));
        return next;
    }

    void awaitView() {
        awaitSnapshot(seen -> seen.view().isPresent());
    }

    void awaitMembers(int size) {
        awaitSnapshot(seen -> seen.members().size() == size);
    }

    /** Probes the lease and returns the result. */
    LeaseProbe probeLease() {
        ask(new Request.ProbeLease(), Status.DONE);
        return snapshot().leaseProbe().orElseThrow();
    }

    /** Checks the newest snapshot at the time of the last reply. */
    void assertObservedBeforeLastOutcome(Predicate<StoreSnapshot> condition) {
        List<RecordingObserver.Call> calls = observer.calls();
        int completed = calls.lastIndexOf(observer.last(Completed.class).orElseThrow());
        Optional<StoreSnapshot> newest =
                snapshots(calls.subList(0, completed)).stream().reduce((first, second) -> second);
        assertThat(newest).hasValueSatisfying(seen -> assertThat(condition)
                .as("snapshot known when the request was completed: %s", seen)
                .accepts(seen));
    }

    boolean isCompleted() {
        return observer.all(Completed.class).size() >= asked.size();
    }

    /** Checks that the calls of the store were lawful, with one outcome for each request. */
    void assertLawful() {
        if (!closed && !unreachable) {
            tested.await(this::isCompleted);
        }
        observer.assertLawful();
        assertCompletedOnce();
    }

    private void assertCompletedOnce() {
        List<Request> answered =
                observer.all(Completed.class).stream().map(Completed::request).toList();
        if (closed || unreachable) {
            assertThat(asked).containsAll(answered);
        } else {
            assertThat(answered).containsExactlyInAnyOrderElementsOf(asked);
        }
    }
}
