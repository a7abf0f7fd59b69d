// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;
import org.junit.jupiter.api.Test;

/** The revision of a report changes with what is shown, and not with the time. */
class ReportRevisionTest extends ReportingFixture {

    @Test
    void stayWhileOnlyTimePasses() {
        VirtualInstance a = settled("a");
        VirtualInstance b = settled("b");
        assertThat(a.awaitOrder("a", "b")).isTrue();
        time.run(1_000);
        long ofA = a.report().revision();
        long ofB = b.report().revision();
        time.run(60_000);

        assertThat(a.report().revision()).isEqualTo(ofA);
        assertThat(b.report().revision()).isEqualTo(ofB);
    }

    @Test
    void changeWithWhateverIsShown() {
        VirtualInstance a = settled("a");
        time.run(1_000);

        differs(a, "a property", () -> offer(a, "color", "red"));
        differs(a, "another instance", () -> settled("b"));
        differs(a, "a problem", () -> a.instance().addPropertyProvider(provider, "not legal"));
        differs(a, "a connection that is lost", () -> a.store().cut(20));
        differs(a, "a connection that is back", () -> a.store().restore());
        differs(a, "the history", () -> a.instance().reporter().readHistory());
    }

    @Test
    void changeWithAListenerThatGetsSlowAndReturns() {
        VirtualInstance a = settled("a");
        time.run(1_450);
        differs(a, "a listener that is called", () -> {
            a.hang();
            a.instance().addListener(event -> {});
        });
        time.run(1_000);
        long before = a.report().revision();
        while (a.report().listeners().get(1).busyMillis() < Health.LISTENER_LIMIT_MILLIS + 20) {
            time.run(10);
        }
        assertThat(a.report().revision()).as("slow").isGreaterThan(before);
        differs(a, "a listener that returns", a::goOn);
    }

    @Test
    void stayInEachStateThatLasts() {
        VirtualInstance a = settled("a");
        VirtualInstance twin = instance("a");
        twin.instance().start();
        assertThat(twin.await(State.REFUSED)).isTrue();
        time.run(20_000);
        stay("refused", a, twin);

        VirtualInstance b = settled("b");
        assertThat(a.awaitOrder("a", "b")).isTrue();
        b.store().cut(20);
        assertThat(b.await(State.CUT_OFF)).isTrue();
        time.run(20_000);
        stay("cut off", a, b);

        VirtualInstance c = settled("c");
        c.hang();
        settled("d");
        time.run(20_000);
        stay("a listener hangs", a, c);
    }

    private void stay(String why, VirtualInstance... instances) {
        List<Long> before = revisions(instances);
        time.run(60_000);
        assertThat(revisions(instances)).as(why).isEqualTo(before);
    }

    private static List<Long> revisions(VirtualInstance... instances) {
        return Stream.of(instances).map(each -> each.report().revision()).toList();
    }

    @Test
    void stayWhileAProviderHangs() {
        VirtualInstance a = settled("a");
        List<TopologyReport> reports = new ArrayList<>();
        PropertyProvider hanging = name -> {
            time.run(10_000);
            reports.add(a.report());
            time.run(60_000);
            reports.add(a.report());
            return "at last";
        };
        a.instance().addPropertyProvider(hanging, "color");
        assertThat(time.runUntil(() -> reports.size() == 2, 1_000)).isTrue();

        assertThat(reports.get(0).problems()).singleElement().asString().contains("has not answered");
        assertThat(reports.get(1).revision()).isEqualTo(reports.get(0).revision());
        assertThat(reports.get(1).problems()).isEqualTo(reports.get(0).problems());
    }

    private void differs(VirtualInstance a, String why, Runnable change) {
        long before = a.report().revision();
        change.run();
        time.run(300);
        assertThat(a.report().revision()).as(why).isGreaterThan(before);
    }
}
