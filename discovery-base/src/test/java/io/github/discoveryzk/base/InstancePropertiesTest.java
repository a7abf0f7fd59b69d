// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.Test;

/** The properties of an instance, from its providers to the views of the others. */
class InstancePropertiesTest extends VirtualCluster {

    private final Map<String, String> values = new HashMap<>(Map.of("color", "red"));
    private final PropertyProvider provider = values::get;
    private final List<String> asked = new ArrayList<>();
    private final PropertyProvider asking = name -> {
        asked.add(name);
        return "red";
    };

    @Test
    void aProviderThatHangsDelaysTheStartByASecondAtMost() {
        VirtualInstance a = instance("a");
        a.hang();
        a.instance().addPropertyProvider(provider, "color");
        a.instance().start();
        time.run(900);
        assertThat(ensemble.members()).isEmpty();

        time.run(600);
        assertThat(a.order()).containsExactly("a");
    }

    @Test
    void oneThatDisappearsIsGoneEverywhere() {
        List<VirtualInstance> all = cluster("a", "b");
        all.get(0).instance().addPropertyProvider(provider, "color");
        time.run(200);
        assertThat(all).allSatisfy(each -> assertThat(color(each)).isEqualTo("red"));

        values.clear();
        all.get(0).instance().refreshProperties();
        time.run(200);
        assertThat(all).allSatisfy(each -> {
            assertThat(color(each)).isNull();
            assertThat(each.eventTypes()).endsWith(Type.PROPERTIES_CHANGED, Type.PROPERTIES_CHANGED);
            assertThat(each.words(each.report().recent().events().get(0).details()))
                    .isEqualTo("a: color removed");
        });
    }

    @Test
    void thatChangeWithoutAnUpdateAreSeenAtTheLastInterval() {
        List<VirtualInstance> all = cluster("a", "b");
        DiscoveryInstance a = all.get(0).instance();
        a.addPropertyProvider(provider, "color");
        a.addPropertyProvider(asking, "size");
        time.run(100_000);
        assertThat(asked).as("without an interval").hasSize(1);
        a.refreshPropertiesEvery(Duration.ofSeconds(10));
        a.refreshPropertiesEvery(Duration.ofSeconds(30));
        for (String color : List.of("blue", "green")) {
            values.put("color", color);
            time.run(29_000);
            assertThat(color(all.get(1))).isNotEqualTo(color);
            time.run(2_000);
            assertThat(all).allSatisfy(each -> assertThat(color(each)).isEqualTo(color));
            time.run(29_000);
        }
        assertThat(asked).hasSize(5);
        a.refreshPropertiesEvery(Duration.ZERO);
        time.run(100_000);
        assertThat(asked).hasSize(5);
    }

    @Test
    void equalAnswersCostNothing() {
        List<VirtualInstance> all = cluster("a", "b");
        DiscoveryInstance a = all.get(0).instance();
        a.addPropertyProvider(provider, "color");
        a.refreshPropertiesEvery(Duration.ofSeconds(1));
        time.run(1_000);
        List<Member> before = ensemble.members();
        TopologyView view = a.getTopology();
        int events = all.get(1).events().size();
        long revision = all.get(0).report().revision();
        time.run(100_000);

        assertThat(ensemble.members()).isEqualTo(before);
        assertThat(a.getTopology()).isSameAs(view);
        assertThat(all.get(1).events()).hasSize(events);
        assertThat(all.get(0).report().revision()).isEqualTo(revision);
    }

    @Test
    void areNotReadAfterTheirProviderIsRemovedOrAtTheEnd() {
        List<VirtualInstance> all = cluster("a", "b");
        DiscoveryInstance a = all.get(0).instance();
        a.refreshPropertiesEvery(Duration.ofSeconds(30));
        a.addPropertyProvider(asking, "color");
        time.run(200);
        assertThat(all).allSatisfy(each -> assertThat(color(each)).isEqualTo("red"));
        a.removePropertyProvider(asking);
        time.run(100_000);
        assertThat(all).allSatisfy(each -> assertThat(color(each)).isNull());
        a.addPropertyProvider(asking, "color");
        all.get(0).leave();
        time.run(100_000);

        assertThat(asked).hasSize(2);
    }

    @Test
    void aProblemIsReported() {
        VirtualInstance a = cluster("a").get(0);
        a.instance().addPropertyProvider(provider, "not legal");
        time.run(200);

        assertThat(a.report().problems()).singleElement().asString().contains("not legal");
    }

    private String color(VirtualInstance seenBy) {
        return seenBy.instance().getTopology().getLocalInstance().getClusterView().getInstances().stream()
                .filter(each -> each.getSlingId().equals("a"))
                .findFirst()
                .orElseThrow()
                .getProperty("color");
    }
}
