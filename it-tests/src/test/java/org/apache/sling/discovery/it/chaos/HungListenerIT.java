// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.sling.discovery.it.chaos.recorder.Entry.Listener;
import org.apache.sling.discovery.it.chaos.recorder.Entry.Received;
import org.apache.sling.discovery.it.chaos.recorder.RecorderActivator;
import org.apache.sling.discovery.it.console.Visitor;
import org.apache.sling.discovery.it.outside.Limit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** A listener that does not return from CHANGING delays the others once, for the settle timeout, and is named. */
class HungListenerIT {

    private static final int SIZE = 4;
    private static final int HUNG = 2;
    private static final int OTHER = 3;
    private static final String CLASS = RecorderActivator.class.getPackageName() + ".RecordingListener";

    @Test
    void holdsUpTheOthersOnceAndIsNamed() throws Exception {
        try (Fleet fleet = Fleet.startWhole(HungListenerIT.class, SIZE)) {
            Node hung = fleet.node(HUNG);
            Node other = fleet.node(OTHER);
            hung.slow(Duration.ofDays(1));
            other.stop();
            other.awaitEnd();
            fleet.awaitSettledWithout(HUNG);

            other.start();
            fleet.awaitSettledWithout(HUNG);

            List<Long> changes = changes(fleet, fleet.node(0));
            assertThat(changes).as("durations of the changes in ms").hasSize(2);
            assertThat(changes.get(0))
                    .as("the first one waits for the hung listener")
                    .isBetween(
                            NodeSettings.SETTLE_MILLIS - 500L,
                            NodeSettings.SETTLE_MILLIS + NodeSettings.SESSION_MILLIS + Limit.millis() / 10);
            List<String> waits = lines(fleet.node(0), "left out: no acknowledgement within the settle timeout");
            assertThat(waits).as("views that waited for the settle timeout").hasSize(1);
            SoftAssertions named = new SoftAssertions();
            assertNamed(named, page(hung), "the page of the instance");
            assertNamed(named, page(fleet.node(0)), "the page of another instance");
            assertNamed(named, String.join("\n", lines(hung, " WARN ")), "a warning in the log of the instance");
            assertNamed(named, waits.get(0), "the log of another instance");
            named.assertAll();

            hung.slow(Duration.ZERO);
            fleet.awaitSettled();
        }
    }

    private static void assertNamed(SoftAssertions named, String text, String where) {
        named.assertThat(text.contains(CLASS) && text.contains(Bundles.RECORDER))
                .as(where + " names the bundle and the class of the listener")
                .isTrue();
    }

    private static List<String> lines(Node node, String text) throws IOException {
        return Files.readAllLines(node.container().log()).stream()
                .filter(line -> line.contains(text))
                .toList();
    }

    /** Returns the durations of the changes of an instance after all had joined, in milliseconds. */
    private static List<Long> changes(Fleet fleet, Node node) {
        List<Received> received = fleet.recording().calls().stream()
                .filter(call -> call.by().equals(new Listener(node.process(), 1)))
                .toList();
        int joined = received.indexOf(received.stream()
                .filter(call -> call.ids().size() == SIZE)
                .findFirst()
                .orElseThrow());
        List<Received> after = received.subList(joined + 1, received.size());
        return IntStream.range(1, after.size())
                .filter(i -> after.get(i).call().settles())
                .mapToObj(i -> (after.get(i).entered() - after.get(i - 1).entered()) / 1_000_000)
                .toList();
    }

    private static String page(Node node) throws Exception {
        return new Visitor(HttpClient.newHttpClient(), true)
                .page(node.container().consoleUri());
    }
}
