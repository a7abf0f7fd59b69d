// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.exchange.Connection;
import org.apache.sling.discovery.webconsole.testing.FixedReporter;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStreamsTest {
    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 30));
    private static final long NEVER = 3_600_000;

    private final EventStreams streams = new EventStreams(20, NEVER);
    private final Source source = new Source();

    @AfterEach
    void end() {
        streams.close();
    }

    @Test
    void aPageIsToldTheRevisionAtOnceAndThenEachOther() {
        streams.setReporter(source);
        Page page = open(streams);
        assertThat(page.received()).isEqualTo("retry: 3000\nid: 1\ndata: 1\n\n");
        source.becomes(2);
        awaitThat(() -> assertThat(page.received()).endsWith("id: 2\ndata: 2\n\n"));
    }

    @Test
    void changesThatFollowEachOtherQuicklyAreToldAsOne() {
        EventStreams slow = new EventStreams(200, NEVER);
        slow.setReporter(source);
        Page page = open(slow);
        for (int revision = 2; revision <= 100; revision++) {
            source.becomes(revision);
        }
        awaitThat(() -> assertThat(page.received()).contains("id: 100\n"));
        assertThat(page.received().split("id: ")).hasSizeLessThan(10);
        slow.close();
    }

    @Test
    void onlyAsLongAsAPageIsOpenThereIsAThreadAndAWatch() {
        streams.setReporter(source);
        assertThat(source.watches).hasValue(0);
        awaitThat(() -> assertThat(threads()).as("of the tests before").isEmpty());
        Page first = open(streams);
        Page second = open(streams);
        assertThat(source.watches).hasValue(1);
        assertThat(threads()).hasSize(1);
        first.goes();
        assertThat(source.watches).hasValue(1);
        second.goes();
        assertThat(source.watches).hasValue(0);
        awaitThat(() -> assertThat(threads()).isEmpty());
        Page again = open(streams);
        source.becomes(5);
        awaitThat(() -> assertThat(again.received()).contains("id: 5\n"));
    }

    @Test
    void heartbeatsFindOutWhoHasGone() {
        EventStreams beating = new EventStreams(20, 20);
        beating.setReporter(source);
        Page alive = open(beating);
        Page gone = open(beating);
        gone.broken = true;
        awaitThat(() -> assertThat(gone.completed).isTrue());
        awaitThat(() -> assertThat(alive.received()).endsWith(":\n\n"));
        assertThat(alive.completed).isFalse();
        assertThat(beating.size()).isEqualTo(1);
        beating.close();
    }

    @Test
    void whoTakesNothingInIsGivenUpAndDelaysNobody() {
        EventStreams beating = new EventStreams(20, 20);
        beating.setReporter(source);
        Page stuck = open(beating);
        stuck.ready = false;
        Page other = open(beating);
        source.becomes(2);
        awaitThat(() -> assertThat(other.received()).contains("id: 2\n"));
        awaitThat(() -> assertThat(stuck.completed).isTrue());
        assertThat(other.completed).isFalse();
        beating.close();
    }

    @Test
    void ofWhatIsNotTakenInTheNewestIsKept() throws IOException {
        streams.setReporter(source);
        Page slow = open(streams);
        Page witness = open(streams);
        slow.ready = false;
        for (int revision = 2; revision <= 4; revision++) {
            String id = "id: " + revision + "\n";
            source.becomes(revision);
            awaitThat(() -> assertThat(witness.received()).contains(id));
        }
        slow.ready = true;
        slow.listener.writable();
        assertThat(slow.received()).endsWith("id: 4\ndata: 4\n\n").doesNotContain("id: 2", "id: 3");
    }

    @Test
    void anotherReporterIsWatchedInstead() {
        streams.setReporter(source);
        Page page = open(streams);
        Source next = new Source();
        next.becomes(77);
        streams.setReporter(next);
        streams.removeReporter(source);
        assertThat(source.watches).hasValue(0);
        assertThat(next.watches).hasValue(1);
        awaitThat(() -> assertThat(page.received()).contains("id: 77\n"));
        streams.removeReporter(next);
        assertThat(next.watches).hasValue(0);
        awaitThat(() -> assertThat(page.received()).endsWith("id: 0\ndata: 0\n\n"));
    }

    @Test
    void closingEndsEverything() {
        streams.setReporter(source);
        Page page = open(streams);
        streams.close();
        assertThat(page.completed).isTrue();
        assertThat(source.watches).hasValue(0);
        awaitThat(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void whoComesAfterTheEndIsEndedToo() {
        streams.close();
        Page late = open(streams);
        assertThat(late.completed).isTrue();
        assertThat(late.listener).as("begun after its end").isNull();
        assertThat(streams.size()).isZero();
        awaitThat(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void aRevisionThatIsToldBeforeTheBeginIsNotLost() throws IOException {
        Page page = new Page();
        EventStream stream = new EventStream(page, streams::remove);
        stream.send(2);
        stream.start(1);
        assertThat(page.received()).startsWith("retry: 3000\n").endsWith("id: 2\ndata: 2\n\n");
    }

    @Test
    void aContainerThatFailsOverOneStreamHarmsNoOther() {
        EventStreams beating = new EventStreams(20, 20);
        beating.setReporter(source);
        Page recycled = open(beating);
        Page other = open(beating);
        recycled.recycled = true;
        awaitThat(() -> assertThat(recycled.completed).isTrue());
        awaitThat(() -> assertThat(other.received()).endsWith(":\n\n"));
        assertThat(beating.size()).isEqualTo(1);
        beating.close();
    }

    @Test
    void thereIsRoomForSoManyOnly() {
        streams.setReporter(source);
        for (int i = 0; i < EventStreams.MOST_STREAMS; i++) {
            assertThat(streams.hasRoom()).isTrue();
            open(streams);
        }
        assertThat(streams.hasRoom()).isFalse();
    }

    private static Page open(EventStreams streams) {
        Page page = new Page();
        EventStream stream = new EventStream(page, streams::remove);
        page.stream = stream;
        streams.add(stream);
        stream.start(streams.currentRevision());
        return page;
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("discovery-webconsole"))
                .toList();
    }

    private static void awaitThat(ThrowingRunnable assertion) {
        await().atMost(LIMIT).untilAsserted(assertion);
    }

    /** Reports a revision that tests choose. */
    private static final class Source extends FixedReporter {
        private final AtomicInteger watches = new AtomicInteger();
        private final List<Runnable> watching = new ArrayList<>();
        private long revision = 1;

        Source() {
            super(Reports.settled(1));
        }

        void becomes(long next) {
            List<Runnable> told;
            synchronized (this) {
                revision = next;
                told = List.copyOf(watching);
            }
            told.forEach(Runnable::run);
        }

        @Override
        public synchronized TopologyReport report() {
            return Reports.revised(super.report(), revision);
        }

        @Override
        public synchronized Watch watch(Runnable changed) {
            watches.incrementAndGet();
            watching.add(changed);
            return () -> {
                watches.decrementAndGet();
                watching.remove(changed);
            };
        }
    }

    /** A browser, and the container between it and the stream. */
    private static final class Page implements Connection {
        private final StringBuilder received = new StringBuilder();
        private volatile boolean ready = true;
        private volatile boolean broken;
        private volatile boolean recycled;
        private volatile boolean completed;
        private volatile Listener listener;
        private EventStream stream;

        @Override
        public void complete() {
            completed = true;
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        synchronized String received() {
            return received.toString();
        }

        void goes() {
            stream.completed();
        }

        @Override
        public boolean isReady() {
            if (recycled) {
                throw new NullPointerException("no channel");
            }
            return ready;
        }

        @Override
        public void start(Listener next) {
            listener = next;
            next.writable();
        }

        @Override
        public synchronized void write(byte[] content) throws IOException {
            if (broken) {
                throw new IOException("broken pipe");
            }
            received.append(new String(content, StandardCharsets.UTF_8));
        }
    }
}
