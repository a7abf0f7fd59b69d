// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.TopologyReport;
import org.apache.sling.discovery.InstanceDescription;
import org.junit.jupiter.api.Test;

/** What the report of an instance says about itself, the others and their properties. */
class ReportingTest extends ReportingFixture {

    private static final String ENDPOINTS = InstanceDescription.PROPERTY_ENDPOINTS;

    private static TopologyReport.Instance reported(VirtualInstance seenBy, String id) {
        return seenBy.report().clusters().get(0).instances().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theConnectionIsThatOfTheStore() {
        VirtualInstance a = settled("a");
        time.run(5_000);
        TopologyReport report = a.report();

        assertThat(report.situation().connection()).hasValueSatisfying(connection -> {
            assertThat(connection.session())
                    .isEqualTo("0x" + Long.toHexString(a.store().session()));
            assertThat(connection.timeoutMillis()).isEqualTo(VirtualInstance.SESSION_TIMEOUT);
            assertThat(connection.usable()).isTrue();
            assertThat(connection.roundTripMillis().getAsLong()).isBetween(2L, 20L);
            assertThat(report.generatedMillis() - connection.heardMillis().getAsLong())
                    .isBetween(0L, VirtualInstance.SESSION_TIMEOUT / 3 + 20L);
        });

        a.store().cut(20);
        time.run(200);
        assertThat(a.report().situation().connection()).hasValueSatisfying(connection -> assertThat(connection.usable())
                .isFalse());
    }

    @Test
    void thereIsNoConnectionAtFirst() {
        VirtualInstance a = instance("a");

        assertThat(a.report().situation().connection()).isEmpty();
    }

    @Test
    void joinedWhenTheStoreMadeTheNode() {
        settled("a");
        time.run(10_000);
        long before = time.now();
        VirtualInstance b = settled("b");

        assertThat(reported(b, "b").member().createdMillis()).isBetween(before, time.now());
        assertThat(reported(b, "a").member().createdMillis()).isLessThan(before);

        time.run(10_000);
        long again = time.now();
        b.instance().operator().stepDown();
        time.run(1_000);
        assertThat(reported(b, "b").member().createdMillis()).isBetween(again, time.now());
    }

    @Test
    void secretsAreMasked() {
        VirtualInstance a = settled("a");
        offer(a, "db.password", "open sesame");

        assertThat(reported(a, "a").properties()).containsEntry("db.password", Secrets.MASK);
        assertThat(a.report().toString()).doesNotContain("open sesame");
    }

    @Test
    void theConsoleIsTheFirstEndpointOfHttp() {
        VirtualInstance a = settled("a");
        VirtualInstance b = settled("b");
        assertThat(reported(b, "a").console()).isEmpty();
        offer(a, ENDPOINTS, "ftp://x/, https://node-1:8443/ctx/,http://node-1:8080/");

        assertThat(reported(b, "a").console()).contains("https://node-1:8443/ctx/");
    }

    @Test
    void changesOfPropertiesAreEventsWithoutValuesNewestFirst() {
        VirtualInstance a = settled("a");
        VirtualInstance b = settled("b");
        offer(a, "color", "red");
        offer(a, "color", "blue");
        offer(a, "api.key", "1234");
        values.remove("color");
        a.instance().refreshProperties();
        time.run(300);

        assertThat(b.report().recent().events())
                .extracting(event -> b.words(event.details()))
                .startsWith("a: color removed", "a: api.key added", "a: color changed", "a: color added");
    }
}
