// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.UnreadableMember;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.spi.AnnouncementBoard;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreInspector;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.apache.sling.discovery.testing.time.VirtualProcess;

/**
 * The connection of one virtual process to a {@link MemoryEnsemble}: messages take random times but stay in order, its server
 * lags behind, a cut loses messages in transit (a request may still arrive), and a session outlives a cut that is short enough.
 */
public final class MemoryStore implements ClusterStore, StoreInspector, AnnouncementBoard {

    private static final long RETRY_MILLIS = 100;

    private final MemoryEnsemble ensemble;
    private final VirtualProcess process;
    private final Random random;
    private final int latencyMillis;
    private final int lagMillis;
    private final List<Request> pending = new ArrayList<>();
    private final List<Runnable> behindReading = new ArrayList<>();
    private final List<CompletableFuture<?>> readings = new ArrayList<>();
    private final List<ArrivalObserver> arrivals = new ArrayList<>();

    private StoreObserver observer;
    private AnnouncementBoard.Observer boardObserver = AnnouncementBoard.Observer.NONE;
    private int timeoutMillis;
    private int granted;
    private Set<Class<? extends Request>> denied = Set.of();
    private int readingMillis;
    private boolean reading;
    private boolean staleReading;
    private Predicate<Member> unreadable = member -> false;
    private boolean showsOwners = true;
    private Runnable lossObserver = () -> {};
    private long refusedUntil = Long.MIN_VALUE;
    private boolean closed;
    private boolean reachable = true;
    private boolean ready;
    private boolean connecting;
    private boolean wanted;
    private boolean collecting;
    private Map<String, Bytes> sharing = Map.of();
    private List<SharedAnnouncement> shownAnnouncements = List.of();
    private boolean hadSession;
    private boolean abandoned;
    private boolean stranded;
    private long strandedAt;
    private Optional<StoreSnapshot> shown = Optional.empty();
    private Optional<LeaseProbe> leaseProbe = Optional.empty();
    private int connection;
    private long session;
    private long lastUp;
    private long lastDown;

    /**
     * Makes an unopened connection.
     *
     * @param timeoutMillis timeout of its sessions
     * @param latencyMillis the maximum time of a message, in milliseconds; the minimum is 1
     * @param lagMillis how far its server lags behind the others
     */
    public MemoryStore(
            MemoryEnsemble ensemble,
            VirtualProcess process,
            Random random,
            int timeoutMillis,
            int latencyMillis,
            int lagMillis) {
        this.ensemble = ensemble;
        this.process = process;
        this.random = random;
        this.timeoutMillis = timeoutMillis;
        this.latencyMillis = latencyMillis;
        this.lagMillis = lagMillis;
    }

    /** Sets another timeout that the servers grant from the next connection on. */
    public void renegotiate(int otherTimeoutMillis) {
        timeoutMillis = otherTimeoutMillis;
    }

    public int timeoutMillis() {
        return timeoutMillis;
    }

    /** Denies requests of these kinds to this instance, and allows all other kinds. */
    public void deny(Set<Class<? extends Request>> kinds) {
        denied = kinds;
    }

    /**
     * Makes a change only notify this store, which then reads: several changes may be coalesced, and the view, read up to the
     * given number of milliseconds after the members, may be newer than they are.
     */
    public void readAfterChanges(int millis) {
        readingMillis = millis;
    }

    /** Delays all further messages, in order, without losing the connection. */
    public void stall(long upMillis, long downMillis) {
        lastUp = Math.max(lastUp, ensemble.time.now() + upMillis);
        lastDown = Math.max(lastDown, ensemble.time.now() + downMillis);
    }

    /** Sets an observer of each request, called when the servers have executed it and before they reply. */
    public void onArrival(ArrivalObserver arrival) {
        arrivals.add(arrival);
    }

    /** Returns the present or last session of this store, 0 before the first. */
    public long session() {
        return session;
    }

    @Override
    public void open(StoreObserver newObserver) {
        if (observer != null || closed) {
            throw new IllegalStateException("a store is opened once and not after it was closed");
        }
        observer = newObserver;
        connect();
    }

    @Override
    public void request(Request request) {
        if (!ready) {
            process.after(0, () -> complete(request, Outcome.unknown("not connected")));
            return;
        }
        pending.add(request);
        int sentOn = connection;
        up(() -> arrive(request, sentOn));
    }

    @Override
    public void collect(boolean acknowledgements) {
        // Kept here, so that it outlives a connection on which the message did not reach the servers.
        wanted = acknowledgements;
        if (ready) {
            int sentOn = connection;
            up(() -> {
                if (sentOn == connection) {
                    collecting = acknowledgements;
                    push(ensemble.snapshot(collecting));
                }
            });
        }
    }

    @Override
    public AnnouncementBoard board() {
        return this;
    }

    @Override
    public void follow(AnnouncementBoard.Observer follower) {
        boardObserver = follower;
    }

    @Override
    public void share(Map<String, Bytes> contents) {
        sharing = Map.copyOf(contents);
        if (ready) {
            sendShared();
        }
    }

    private void sendShared() {
        int sentOn = connection;
        Map<String, Bytes> contents = sharing;
        up(() -> {
            if (sentOn == connection && !stranded) {
                ensemble.share(session, contents);
            }
        });
    }

    /** Sends the announcements that the members share, if they have changed. */
    void announced() {
        List<SharedAnnouncement> announcements = ensemble.shared();
        if (!announcements.equals(shownAnnouncements)) {
            shownAnnouncements = announcements;
            down(lagMillis, () -> boardObserver.announcementsObserved(announcements));
        }
    }

    @Override
    public StoreInspector inspector() {
        return this;
    }

    @Override
    public CompletionStage<HistoryReading> readHistory(Set<Long> known) {
        return read(() -> ensemble.readHistory(known));
    }

    @Override
    public CompletionStage<Set<Acknowledgement>> readAcknowledgements() {
        return read(ensemble::readAcknowledgements);
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        return read(ensemble::readTree);
    }

    private <T> CompletableFuture<T> read(Supplier<T> reading) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (!ready || closed) {
            future.completeExceptionally(new IOException("not connected"));
            return future;
        }
        readings.add(future);
        int sentOn = connection;
        up(() -> {
            if (sentOn == connection && !stranded) {
                T read = reading.get();
                down(0, () -> {
                    readings.remove(future);
                    future.complete(read);
                });
            }
        });
        return future;
    }

    private void endReadings() {
        List<CompletableFuture<?>> all = List.copyOf(readings);
        readings.clear();
        all.forEach(future -> future.completeExceptionally(new IOException("connection lost")));
    }

    @Override
    public void close() {
        if (!closed) {
            process.after(0, this::endReadings);
            closed = true;
            ready = false;
            connection++;
            ensemble.unwatch(this);
            if (reachable && session != 0) {
                long ending = session;
                ensemble.time.after(latency(), () -> ensemble.end(ending));
            } else {
                ensemble.startExpiry(session, granted);
            }
        }
    }

    /** Loses the connection; the process notices after a while. */
    public void cut(long noticedAfterMillis) {
        if (reachable) {
            reachable = false;
            stranded = false;
            connection++;
            ensemble.unwatch(this);
            ensemble.startExpiry(session, granted);
            int lost = connection;
            process.after(noticedAfterMillis, () -> notice(lost));
        }
    }

    /**
     * Cuts the server off from the others without its knowledge: it still answers reads and pings from its old state, and
     * nothing else passes, while the others wait for the session to expire.
     */
    public void strand() {
        if (reachable && ready && !stranded) {
            stranded = true;
            strandedAt = ensemble.time.now() - lagMillis;
            ensemble.unwatch(this);
            ensemble.startExpiry(session, granted);
        }
    }

    /**
     * Loses the connection to servers that are restored to an older state: they refuse the client, which has seen later transactions, until
     * it opens a new session after the given time.
     */
    public void refuse(long millis, long noticedAfterMillis) {
        cut(noticedAfterMillis);
        abandoned = hadSession;
        refusedUntil = ensemble.time.now() + millis;
        ensemble.time.after(millis, this::restore);
    }

    /** Sets what runs in the process when its observer has been notified of the loss of a connection. */
    public void onLoss(Runnable loss) {
        lossObserver = loss;
    }

    /** Ends a cut. */
    public void restore() {
        if (ensemble.time.now() < refusedUntil) {
            return;
        }
        if (stranded) {
            stranded = false;
            lose();
            connect();
        }
        if (!reachable) {
            reachable = true;
            connect();
        }
    }

    /** Makes the process silent on a standing connection, as if it were paused or killed. */
    public void fallSilent() {
        ensemble.startExpiry(session, granted);
    }

    /** Ends the silence; if the session has ended meanwhile, the process is notified. */
    public void speakAgain() {
        if (closed || !reachable || stranded || session == 0 || abandoned) {
            return;
        }
        if (ensemble.isAlive(session)) {
            ensemble.suspendExpiry(session);
        } else if (ready) {
            lose();
            connect();
        }
    }

    /** Makes the client abandon its session and open another one, while the servers wait for the old one to expire. */
    public void abandonSession() {
        if (reachable && ready) {
            lose();
            ensemble.startExpiry(session, granted);
            abandoned = true;
            connect();
        }
    }

    private void lose() {
        connection++;
        ensemble.unwatch(this);
        notice(connection);
    }

    private void notice(int lost) {
        if (lost != connection || closed || observer == null) {
            return;
        }
        ready = false;
        reading = false;
        behindReading.clear();
        shown = Optional.empty();
        leaseProbe = Optional.empty();
        List<Request> all = List.copyOf(pending);
        pending.clear();
        process.after(0, this::endReadings);
        process.after(
                0,
                () -> emit(() -> {
                    observer.suspended();
                    lossObserver.run();
                }));
        all.forEach(request ->
                process.after(0, () -> emit(() -> observer.completed(request, Outcome.unknown("connection lost")))));
    }

    private void connect() {
        if (!connecting && observer != null) {
            connecting = true;
            ensemble.time.after(latency(), this::establish);
        }
    }

    private void establish() {
        connecting = false;
        if (closed || process.isDead() || !reachable) {
            return;
        }
        if (process.isPaused()) {
            connecting = true;
            ensemble.time.after(RETRY_MILLIS, this::establish);
            return;
        }
        notice(connection);
        boolean expired = hadSession && (abandoned || !ensemble.isAlive(session));
        abandoned = false;
        if (!hadSession || expired) {
            session = ensemble.newSession();
            hadSession = true;
        }
        ensemble.suspendExpiry(session);
        collecting = wanted;
        connection++;
        ensemble.watch(this);
        long now = session;
        granted = timeoutMillis;
        int timeout = granted;
        StoreSnapshot first = ensemble.snapshot(collecting);
        if (expired) {
            down(0, () -> observer.expired());
        }
        down(0, () -> {
            ready = true;
            observer.connected(now, timeout);
            if (!sharing.isEmpty()) {
                sendShared();
            }
        });
        down(0, () -> show(first));
        shownAnnouncements = List.of();
        announced();
        othersChanged();
    }

    private void arrive(Request request, int sentOn) {
        boolean read = request instanceof Request.Probe || request instanceof Request.ProbeLease;
        if (stranded && !read || !stranded && !ensemble.isAlive(session)) {
            return;
        }
        if (request instanceof Request.ProbeLease && sentOn == connection) {
            LeaseProbe probe = ensemble.leaseProbeAt(stranded ? strandedAt : ensemble.time.now() - lagMillis);
            afterReading(() -> down(0, () -> learn(probe)));
        }
        Outcome outcome = denied.contains(request.kind())
                ? Outcome.rejected("access is denied")
                : ensemble.execute(request, session);
        arrivals.forEach(each -> each.arrived(request, outcome));
        if (sentOn == connection) {
            afterReading(() -> down(read ? 0 : lagMillis, () -> complete(request, outcome)));
        }
    }

    private void complete(Request request, Outcome outcome) {
        pending.remove(request);
        emit(() -> observer.completed(request, outcome));
    }

    private void emit(Runnable call) {
        if (!closed) {
            call.run();
        }
    }

    /** Sends a change of the cluster. */
    void changed() {
        push(ensemble.snapshot(collecting));
        announced();
    }

    /** Sends a change of the acknowledgements, to collectors only. */
    void acknowledged() {
        if (collecting) {
            push(ensemble.snapshot(true));
        }
    }

    private void push(StoreSnapshot snapshot) {
        if (readingMillis > 0) {
            read();
        } else {
            down(lagMillis, () -> show(snapshot));
        }
    }

    /** Delays a reply until earlier changes are read. */
    private void afterReading(Runnable reply) {
        if (reading) {
            behindReading.add(reply);
        } else {
            reply.run();
        }
    }

    private void read() {
        staleReading = reading;
        if (!reading) {
            reading = true;
            int sentOn = connection;
            ensemble.time.after(1 + random.nextInt(readingMillis), () -> readMembers(sentOn));
        }
    }

    private void readMembers(int sentOn) {
        if (sentOn == connection) {
            staleReading = false;
            StoreSnapshot members = ensemble.snapshot(collecting);
            ensemble.time.after(random.nextInt(readingMillis), () -> readView(members, sentOn));
        }
    }

    private void readView(StoreSnapshot members, int sentOn) {
        if (sentOn != connection) {
            return;
        }
        if (!stranded) {
            StoreSnapshot torn = members.withSlot(ensemble.slot());
            down(lagMillis, () -> show(torn));
        }
        endReading();
        if (staleReading) {
            read();
        }
    }

    private void endReading() {
        reading = false;
        List<Runnable> replies = List.copyOf(behindReading);
        behindReading.clear();
        replies.forEach(Runnable::run);
    }

    private void learn(LeaseProbe probe) {
        leaseProbe = Optional.of(probe);
        shown.ifPresent(this::show);
    }

    private void show(StoreSnapshot snapshot) {
        shown = Optional.of(snapshot);
        observer.observed(readable(snapshot).withLeaseProbe(leaseProbe));
    }

    private StoreSnapshot readable(StoreSnapshot snapshot) {
        if (snapshot.members().stream().noneMatch(unreadable)) {
            return snapshot;
        }
        List<Member> readable = snapshot.members().stream()
                .filter(member -> !unreadable.test(member))
                .toList();
        List<UnreadableMember> others = snapshot.members().stream()
                .filter(unreadable)
                .map(this::unreadable)
                .toList();
        return snapshot.withMembers(readable, others);
    }

    /** Some servers deny the owner too; an instance knows its own nodes by their names. */
    private UnreadableMember unreadable(Member member) {
        boolean owner = showsOwners || member.session() == session;
        return new UnreadableMember(
                member.node(),
                showsOwners ? member.seniority() : 0,
                owner ? member.session() : 0,
                member.formats(),
                "a test");
    }

    /** Sends the other clusters of the same store. */
    void othersChanged() {
        ensemble.others().ifPresent(clusters -> down(lagMillis, () -> boardObserver.remotesObserved(clusters)));
    }

    /** Tells this instance of other clusters. */
    public void showRemotes(List<RemoteCluster> clusters) {
        boardObserver.remotesObserved(clusters);
    }

    /** Makes the records of those members unreadable for this instance, immediately. */
    public void cannotRead(Predicate<Member> which) {
        cannotRead(which, true);
    }

    /** As {@link #cannotRead(Predicate)}; {@code ownerKnown} says whether the owner and the seniority can be read. */
    public void cannotRead(Predicate<Member> which, boolean ownerKnown) {
        unreadable = which;
        showsOwners = ownerKnown;
        process.after(0, () -> emit(() -> shown.filter(snapshot -> ready).ifPresent(this::show)));
    }

    /** Sends to the servers. A message in transit during a cut may still arrive. */
    private void up(Runnable action) {
        if (!reachable) {
            return;
        }
        int sentOn = connection;
        int sentTo = ensemble.restores();
        lastUp = Math.max(lastUp, ensemble.time.now() + latency());
        ensemble.time.after(lastUp - ensemble.time.now(), () -> {
            if (sentTo == ensemble.restores() && (sentOn == connection || random.nextBoolean())) {
                action.run();
            }
        });
    }

    /** Sends to the process, in order, once its server has caught up. */
    private void down(long behindMillis, Runnable action) {
        int sentOn = connection;
        ensemble.time.after(behindMillis, () -> {
            lastDown = Math.max(lastDown, ensemble.time.now() + latency());
            process.after(lastDown - ensemble.time.now(), () -> {
                if (sentOn == connection) {
                    emit(action);
                }
            });
        });
    }

    private long latency() {
        return 1 + random.nextInt(latencyMillis);
    }

    /** Observes the requests that the servers have executed. */
    @FunctionalInterface
    public interface ArrivalObserver {
        void arrived(Request request, Outcome outcome);
    }
}
