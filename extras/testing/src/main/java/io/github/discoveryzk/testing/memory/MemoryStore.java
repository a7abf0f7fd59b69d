// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.memory;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreInspector;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.testing.time.VirtualProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The connection of one virtual process to a {@link MemoryEnsemble}: messages take random times but stay in order, its server
 * lags behind, a cut loses messages in transit (a request may still arrive), and a session outlives a cut that is short enough.
 */
public final class MemoryStore extends MemoryConnection implements ClusterStore, AnnouncementBoard {

    private final TornReads torn;
    private final List<Request> pending = new ArrayList<>();
    private final MemoryInspector inspector = new MemoryInspector(this);
    private final MemoryDataStore data = new MemoryDataStore(this);
    private final List<ArrivalObserver> arrivals = new ArrayList<>();
    private StoreObserver observer;
    private AnnouncementBoard.Observer boardObserver = AnnouncementBoard.Observer.NONE;
    private Runnable lossObserver = () -> {};
    private Set<Class<? extends Request>> denied = Set.of();
    private Sight sight = new Sight(member -> false, true);
    private boolean wanted;
    private boolean collecting;
    private Map<String, Bytes> sharing = Map.of();
    private List<SharedAnnouncement> shownAnnouncements = List.of();
    private Optional<StoreSnapshot> sent = Optional.empty();
    private int watchedOn;
    private Optional<StoreSnapshot> shown = Optional.empty();
    private Optional<LeaseProbe> leaseProbe = Optional.empty();
    private Consumer<StoreSnapshot> showing = snapshot -> {};
    private long seen;

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
        super(ensemble, process, new Transport(ensemble, process, random, latencyMillis), timeoutMillis, lagMillis);
        torn = new TornReads(transport, ensemble.time, random, () -> ensemble.snapshot(collecting), this::showWithView);
    }

    /** Denies requests of these kinds to this instance, and allows all other kinds. */
    public void deny(Set<Class<? extends Request>> kinds) {
        denied = kinds;
    }

    /** Makes a change only notify this store, which then reads in two steps of up to the given number of milliseconds each. */
    public void readAfterChanges(int millis) {
        torn.use(millis);
    }

    /** Sets an observer of each request, called when the servers have executed it and before they reply. */
    public void onArrival(ArrivalObserver arrival) {
        arrivals.add(arrival);
    }

    /** Returns the last transaction whose effects the process knows. */
    public long seen() {
        return seen;
    }

    /** Sets what receives each snapshot before the process observes it, and before it counts as {@link #seen()}. */
    public void onShow(Consumer<StoreSnapshot> receiver) {
        showing = receiver;
    }

    @Override
    public void open(StoreObserver newObserver) {
        openOnce();
        observer = newObserver;
    }

    @Override
    public void request(Request request) {
        if (!isReady()) {
            process.after(0, () -> complete(request, Outcome.unknown("not connected")));
            return;
        }
        pending.add(request);
        int sentOn = transport.connection();
        up(() -> arrive(request, sentOn));
    }

    @Override
    public void collect(boolean acknowledgements) {
        // Kept here, so that it outlives a connection on which the message did not reach the servers.
        wanted = acknowledgements;
        if (isReady()) {
            upOnThis(() -> {
                collecting = acknowledgements;
                push(ensemble.snapshot(collecting));
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
        if (isReady()) {
            sendShared();
        }
    }

    private void sendShared() {
        Map<String, Bytes> contents = sharing;
        upOnThis(() -> {
            if (!isStranded()) {
                ensemble.share(session(), contents);
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
        return inspector;
    }

    @Override
    public void close() {
        if (end()) {
            process.after(0, inspector::endReadings);
        }
    }

    /** Sets what runs in the process when its observer has been notified of the loss of a connection. */
    public void onLoss(Runnable loss) {
        lossObserver = loss;
    }

    @Override
    void lost() {
        torn.clear();
        shown = Optional.empty();
        leaseProbe = Optional.empty();
        List<Request> all = List.copyOf(pending);
        pending.clear();
        process.after(0, inspector::endReadings);
        process.after(
                0,
                () -> emit(() -> {
                    observer.suspended();
                    lossObserver.run();
                }));
        all.forEach(request ->
                process.after(0, () -> emit(() -> observer.completed(request, Outcome.unknown("connection lost")))));
        data.lost();
    }

    @Override
    void established(boolean expired, int grantedMillis) {
        collecting = wanted;
        ensemble.watch(this);
        watchedOn = transport.connection();
        long now = session();
        StoreSnapshot first = ensemble.snapshot(collecting);
        if (expired) {
            down(0, () -> observer.expired());
        }
        down(0, () -> {
            beReady();
            observer.connected(now, grantedMillis);
            if (!sharing.isEmpty()) {
                sendShared();
            }
        });
        send(first, 0);
        shownAnnouncements = List.of();
        announced();
        othersChanged();
        data.established();
    }

    private void arrive(Request request, int sentOn) {
        boolean read = request instanceof Request.Probe || request instanceof Request.ProbeLease;
        if (isStranded() ? !read : !ensemble.isAlive(session())) {
            return;
        }
        if (request instanceof Request.ProbeLease && sentOn == transport.connection()) {
            LeaseProbe probe = ensemble.leaseProbeAt(answersFrom());
            Optional<StoreSnapshot> before = sent;
            long at = isStranded() || watchedOn != sentOn ? 0 : ensemble.transaction();
            // A probe is shown before what it overtakes, and is all that there is only if it overtakes nothing.
            torn.then(() -> down(0, () -> learn(probe, shown.orElse(null) == before.orElse(null) ? at : 0)));
        }
        Outcome outcome = denied.contains(request.getClass())
                ? Outcome.rejected("access is denied")
                : ensemble.execute(request, session());
        arrivals.forEach(each -> each.arrived(request, outcome));
        if (sentOn == transport.connection()) {
            long at = read ? 0 : ensemble.transaction();
            torn.then(() -> down(read ? 0 : lagMillis, () -> {
                seen = Math.max(seen, at);
                complete(request, outcome);
            }));
        }
    }

    private void complete(Request request, Outcome outcome) {
        pending.remove(request);
        emit(() -> observer.completed(request, outcome));
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
        if (torn.areUsed()) {
            torn.read();
        } else {
            send(snapshot, lagMillis);
        }
    }

    private void send(StoreSnapshot snapshot, int lag) {
        sent = Optional.of(snapshot);
        long at = ensemble.transaction();
        down(lag, () -> show(snapshot, at));
    }

    private void showWithView(StoreSnapshot members) {
        if (!isStranded()) {
            StoreSnapshot snapshot = members.withSlot(ensemble.content().slot());
            down(lagMillis, () -> show(snapshot, 0));
        }
    }

    private void learn(LeaseProbe probe, long at) {
        leaseProbe = Optional.of(probe);
        shown.ifPresent(snapshot -> show(snapshot, at));
    }

    private void show(StoreSnapshot snapshot, long at) {
        shown = Optional.of(snapshot);
        StoreSnapshot sighted = sight.of(snapshot, session()).withLeaseProbe(leaseProbe);
        showing.accept(sighted);
        seen = Math.max(seen, at);
        observer.observed(sighted);
    }

    /** Sends the other clusters of the same store. */
    void othersChanged() {
        ensemble.others().ifPresent(clusters -> down(lagMillis, () -> boardObserver.remotesObserved(clusters)));
    }

    @Override
    public DataStore data() {
        return data;
    }

    /** Sends a change of shared data. */
    void dataChanged(DataAddress address) {
        data.changed(address);
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
        sight = new Sight(which, ownerKnown);
        process.after(
                0, () -> emit(() -> shown.filter(snapshot -> isReady()).ifPresent(snapshot -> show(snapshot, 0))));
    }

    /** Observes the requests that the servers have executed. */
    @FunctionalInterface
    public interface ArrivalObserver {
        void arrived(Request request, Outcome outcome);
    }
}
