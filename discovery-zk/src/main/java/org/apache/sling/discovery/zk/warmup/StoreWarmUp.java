// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.warmup;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.apache.sling.discovery.zk.cache.ClusterCache;
import org.apache.sling.discovery.zk.cache.ObserverNotifier;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.requests.Requests;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.DepartureNoteName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.TooLarge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays changes of an imagined cluster, so that the first real change does not wait for classes to be loaded and code to be compiled. The
 * nodes of that cluster exist in memory only: another instance joins, both acknowledge, the next view is published, read and reported, and
 * the same when that instance leaves. Nothing of that is sent.
 *
 * <p>The first round runs at once, while the connection is being established: it loads the classes. The others begin after a rest and
 * come one by one, so that they take little of a processor from the first changes and from what the container does.
 */
public final class StoreWarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWarmUp.class);

    /** With fewer rounds most of the code is still interpreted afterwards. */
    static final int ROUNDS = 60;

    private static final int PAUSES_OF_REST = 50;
    private static final long CLOSE_MILLIS = 1_000;
    private static final Paths PATHS = new Paths("/warm-up", "imagined");

    private final StoreThread thread = new StoreThread("discovery-zk-warm-up");
    private final ImaginedSession session = new ImaginedSession();
    private final Observer observer = new Observer();
    private final CompletableFuture<Played> done = new CompletableFuture<>();
    private final List<Step> round = List.of(
            this::join, this::acknowledge, this::publish, this::leave, this::probe, this::acknowledge, this::publish);
    private final Codecs codecs;
    private final long pauseMillis;
    private final ClusterCache cache;
    private final Requests requests;
    private Imagined self;
    private Imagined other;
    private int steps;

    /**
     * What was played.
     *
     * @param views the views that were reported
     * @param watches the watches that were set
     */
    public record Played(int views, int watches) {}

    /** A part of a round. The changes that it causes are taken in before the next one. */
    private interface Step {
        void take() throws TooLarge;
    }

    /** An instance of the imagined cluster. */
    private record Imagined(String node, byte[] record) {
        String path() {
            return PATHS.member(node);
        }

        static Imagined of(Codecs codecs, String id, int number) throws TooLarge {
            MemberRecord record = MemberRecord.of(id, new ProcessInfo(id, "host", number, "/", 0), Map.of("name", id))
                    .withSessionTimeout(ImaginedSession.TIMEOUT_MILLIS);
            String node = Paths.nameOf(PATHS.newMember(number, codecs.formats())) + "000000000" + number;
            return new Imagined(node, codecs.members().write(record));
        }
    }

    private StoreWarmUp(Codecs codecs, long pauseMillis) {
        this.codecs = codecs;
        this.pauseMillis = pauseMillis;
        ObserverNotifier notifier = new ObserverNotifier(observer);
        cache = new ClusterCache(PATHS, codecs, thread, notifier, () -> {}, () -> {});
        requests = new Requests(PATHS, codecs, cache, notifier);
    }

    /**
     * Starts a warm-up on a thread of its own, which ends with it.
     *
     * @param pauseMillis the time between two rounds; the rest after the first one takes 50 times as long
     */
    public static StoreWarmUp start(Codecs codecs, long pauseMillis) {
        StoreWarmUp warmUp = new StoreWarmUp(codecs, pauseMillis);
        warmUp.next(warmUp::open);
        return warmUp;
    }

    /** Completes with what was played; not at all if the warm-up was closed before. */
    public CompletionStage<Played> done() {
        return done;
    }

    @Override
    public void close() {
        thread.shutDown(CLOSE_MILLIS);
    }

    private void open() throws TooLarge {
        self = Imagined.of(codecs, "warm-up", 1);
        other = Imagined.of(codecs, "warm-up-other", 2);
        cache.collect(true);
        session.put(self.path(), self.record());
        cache.start(session);
        next(this::takeStep);
    }

    private void takeStep() throws TooLarge {
        if (steps == ROUNDS * round.size()) {
            done.complete(new Played(observer.views, session.watches()));
            close();
            return;
        }
        round.get(steps % round.size()).take();
        steps++;
        if (steps % round.size() != 0) {
            next(this::takeStep);
        } else {
            long pause = steps == round.size() ? pauseMillis * PAUSES_OF_REST : pauseMillis;
            thread.schedule(pause, () -> take(this::takeStep));
        }
    }

    /** Takes a step behind the events of this one, which are in the queue of the thread already. */
    private void next(Step step) {
        thread.execute(() -> take(step));
    }

    private void take(Step step) {
        try {
            step.take();
        } catch (TooLarge | RuntimeException | LinkageError e) {
            LOG.debug("The warm-up has failed; classes are loaded when they are needed", e);
            done.completeExceptionally(e);
            close();
        }
    }

    private void join() {
        session.put(other.path(), other.record());
    }

    private void leave() {
        session.put(PATHS.note(DepartureNoteName.of(stopped())), new byte[0]);
        session.remove(other.path());
    }

    private void probe() {
        requests.send(new Request.ProbeLease());
    }

    private DepartureNote stopped() {
        return DepartureNote.own(other.node(), DepartureNote.Kind.STOPPED);
    }

    private void acknowledge() {
        requests.send(
                new Request.Acknowledge(self.node(), observer.snapshot.slot().nextNumber() - 1));
    }

    private void publish() {
        StoreSnapshot now = observer.snapshot;
        Optional<EstablishedView> before = now.view();
        List<Incarnation> members =
                now.members().stream().map(Member::incarnation).toList();
        long number = now.nextNumber();
        EstablishedView next = new EstablishedView(
                number,
                number - 1,
                before.map(EstablishedView::token).orElse(number),
                ImaginedSession.TIMEOUT_MILLIS,
                0,
                members,
                Set.of(),
                "warm-up",
                members.get(0).instanceId());
        List<Departure> left = before.stream()
                .flatMap(view -> view.members().stream())
                .filter(member -> !members.contains(member))
                .map(member -> new Departure(member, Optional.of(DepartureNote.Kind.STOPPED), Optional.empty()))
                .toList();
        requests.send(new Request.Publish(
                next,
                now.slot().version(),
                self.node(),
                new HistoryEntry(ViewDifference.between(before, next), left, List.of(), 0, 0),
                now.leaseProbe().map(LeaseProbe::notes).orElse(Set.of()),
                OptionalLong.empty(),
                codecs.formats().oldest(),
                ImaginedSession.TIMEOUT_MILLIS));
    }

    /** Counts the views that are reported, each of which differs from the one before. */
    private static final class Observer implements StoreObserver {
        private StoreSnapshot snapshot;
        private int views;

        @Override
        public void connected(long session, int sessionTimeoutMillis) {
            // The rounds begin when the cluster has been read.
        }

        @Override
        public void suspended() {
            // The imagined connection is never lost.
        }

        @Override
        public void expired() {
            // The imagined session never ends.
        }

        @Override
        public void observed(StoreSnapshot seen) {
            if (snapshot != null && !seen.view().equals(snapshot.view())) {
                views++;
            }
            snapshot = seen;
        }

        @Override
        public void completed(Request request, Outcome outcome) {
            // What the request has caused is in a snapshot.
        }

        @Override
        public void troubled(String sentence) {
            // Trouble shows in the number of views.
        }
    }
}
