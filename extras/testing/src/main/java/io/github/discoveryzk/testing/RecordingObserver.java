// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Keeps every call in order, and notices calls that overlap. Written by the store's threads, read by the test. */
public final class RecordingObserver implements StoreObserver, AnnouncementBoard.Observer {

    private final List<Received> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private volatile Consumer<Received> reaction = call -> {};

    /** One call of the store. */
    public sealed interface Received {}

    public record Connected(long session, int timeoutMillis) implements Received {}

    public record Suspended() implements Received {}

    public record Expired() implements Received {}

    public record Observed(StoreSnapshot snapshot) implements Received {}

    public record Completed(Request request, Outcome outcome) implements Received {}

    public record Remotes(List<RemoteCluster> clusters) implements Received {}

    public record Announcements(List<SharedAnnouncement> all) implements Received {}

    public record Troubled(String sentence) implements Received {}

    /** Sets an action to run within each call. */
    public void react(Consumer<Received> newReaction) {
        reaction = newReaction;
    }

    @Override
    public void connected(long session, int sessionTimeoutMillis) {
        called(new Connected(session, sessionTimeoutMillis));
    }

    @Override
    public void suspended() {
        called(new Suspended());
    }

    @Override
    public void expired() {
        called(new Expired());
    }

    @Override
    public void observed(StoreSnapshot snapshot) {
        called(new Observed(snapshot));
    }

    @Override
    public void remotesObserved(List<RemoteCluster> clusters) {
        called(new Remotes(clusters));
    }

    @Override
    public void announcementsObserved(List<SharedAnnouncement> announcements) {
        called(new Announcements(announcements));
    }

    @Override
    public void completed(Request request, Outcome outcome) {
        called(new Completed(request, outcome));
    }

    @Override
    public void troubled(String sentence) {
        called(new Troubled(sentence));
    }

    private void called(Received call) {
        if (running.incrementAndGet() > 1) {
            overlaps.incrementAndGet();
        }
        calls.add(call);
        reaction.accept(call);
        running.decrementAndGet();
    }

    public List<Received> calls() {
        return List.copyOf(calls);
    }

    public <T extends Received> List<T> all(Class<T> kind) {
        return calls.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <T extends Received> Optional<T> last(Class<T> kind) {
        List<T> all = all(kind);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** Checks what holds for each observer at any time. */
    public void assertLawful() {
        assertThat(overlaps).as("calls that overlapped another").hasValue(0);
        boolean connected = false;
        for (Received call : calls) {
            if (call instanceof Observed) {
                assertThat(connected)
                        .as("a snapshot while there is no connection, in %s", calls)
                        .isTrue();
            } else if (call instanceof Connected) {
                connected = true;
            } else if (call instanceof Suspended || call instanceof Expired) {
                connected = false;
            }
        }
    }
}
