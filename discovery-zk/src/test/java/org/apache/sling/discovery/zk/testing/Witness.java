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
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.awaitility.Awaitility;

/** An instance of a test: opens a store, writes down what it is told, and waits for what a test expects. */
public final class Witness implements StoreObserver, AutoCloseable {
    public static final Duration LONG = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 20));

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    private final String id;
    private final ClusterStore store;
    private final List<Object> told = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private StoreSnapshot snapshot;
    private long session;
    private volatile boolean overlapped;

    public Witness(String id, ClusterStore store) {
        this.id = id;
        this.store = store;
        store.open(this);
    }

    public record Connected(long session, int timeout) {}

    public record Suspended() {}

    public record Expired() {}

    public record Troubled(String sentence) {}

    public record Completed(Request request, Outcome outcome) {}

    @Override
    public void connected(long id, int sessionTimeoutMillis) {
        write(new Connected(id, sessionTimeoutMillis));
    }

    @Override
    public void suspended() {
        write(new Suspended());
    }

    @Override
    public void expired() {
        write(new Expired());
    }

    @Override
    public void observed(StoreSnapshot one) {
        write(one);
    }

    @Override
    public void completed(Request request, Outcome outcome) {
        write(new Completed(request, outcome));
    }

    @Override
    public void troubled(String sentence) {
        write(new Troubled(sentence));
    }

    private void write(Object what) {
        if (inside.incrementAndGet() != 1) {
            overlapped = true;
        }
        synchronized (told) {
            told.add(what);
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
        synchronized (told) {
            return session;
        }
    }

    public List<Object> told() {
        synchronized (told) {
            return List.copyOf(told);
        }
    }

    public <T> List<T> told(Class<T> type) {
        return told().stream().filter(type::isInstance).map(type::cast).toList();
    }

    public Optional<StoreSnapshot> snapshot() {
        synchronized (told) {
            return Optional.ofNullable(snapshot);
        }
    }

    public StoreSnapshot sees(Predicate<StoreSnapshot> what) {
        await().atMost(LONG).until(() -> snapshot().filter(what).isPresent());
        return snapshot().get();
    }

    public <T> void hears(Class<T> type, Predicate<T> what) {
        await().atMost(LONG).until(() -> told(type).stream().anyMatch(what));
    }

    public Outcome ask(Request request) {
        long before = replies(request);
        store.request(request);
        await().atMost(LONG).until(() -> replies(request) > before);
        List<Completed> all = told(Completed.class);
        return all.stream()
                .filter(reply -> reply.request() == request)
                .reduce((first, second) -> second)
                .get()
                .outcome();
    }

    private long replies(Request request) {
        return told(Completed.class).stream()
                .filter(reply -> reply.request() == request)
                .count();
    }

    /** Asks and insists on success. */
    public void does(Request request) {
        Outcome outcome = ask(request);
        if (outcome.status() != Status.DONE) {
            throw new AssertionError(request + " had the outcome " + outcome);
        }
    }

    /** Returns what a lease probe reads now. */
    public LeaseProbe leaseProbe() {
        does(new Request.ProbeLease());
        return snapshot().orElseThrow().leaseProbe().orElseThrow();
    }

    /** Creates the member node. */
    public Member join() {
        sees(any -> true);
        does(new Request.Announce(record(Map.of())));
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
    public Request.Publish publication(String leader, String node, DepartureNote... heard) {
        StoreSnapshot now = snapshot().orElseThrow();
        long previous = now.view().map(EstablishedView::number).orElse(0L);
        long number = now.slot().nextNumber();
        EstablishedView view = new EstablishedView(
                number, previous, number, 10_000, 0, List.of(new Incarnation(leader, id)), Set.of(), "a test", id);
        return new Request.Publish(
                view,
                now.slot().version(),
                node,
                new HistoryEntry(view, view.members(), List.of(), List.of(), 0, 0),
                Set.of(heard));
    }

    @Override
    public void close() {
        store.close();
    }
}
