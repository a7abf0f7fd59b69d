// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.properties;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sling.discovery.PropertyProvider;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** Providers are added, asked, changed and removed by several threads, in many orders of their steps. */
@ExtendWith(FrayTestExtension.class)
class PropertyCollectionInterleavings {

    private static void add(PropertyCollection to, PropertyProvider provider, int ranking, long serviceId) {
        to.add(new PropertySource.Registration(provider, "provider " + serviceId, ranking, serviceId, "p"));
    }

    @FrayTest(iterations = 2_000, resetClassLoaderPerIteration = false)
    void aChangedRankingCountsEvenIfItComesWithARefresh() {
        Crew crew = new Crew();
        AtomicReference<Map<String, String>> last = new AtomicReference<>(Map.of());
        PropertyCollection collection = new PropertyCollection(crew, () -> 0, last::set);
        PropertyProvider one = name -> "one";
        PropertyProvider two = name -> "two";
        add(collection, one, 0, 1);
        add(collection, two, 5, 2);
        crew.join();
        assertThat(last).hasValue(Map.of("p", "two"));
        crew.execute(collection::refresh);
        crew.execute(() -> add(collection, one, 9, 1));
        crew.join();
        assertThat(last).hasValue(Map.of("p", "one"));
    }

    @FrayTest(iterations = 2_000, resetClassLoaderPerIteration = false)
    void whatIsRemovedLeavesNothingAndTheNewestValueStays() {
        Crew crew = new Crew();
        AtomicReference<Map<String, String>> last = new AtomicReference<>(Map.of());
        AtomicReference<String> value = new AtomicReference<>("old");
        PropertyCollection collection = new PropertyCollection(crew, () -> 0, last::set);
        PropertyProvider one = name -> "one";
        add(collection, name -> value.get(), 5, 2);
        crew.join();
        crew.execute(() -> {
            add(collection, one, 9, 1);
            collection.remove(one, 1);
        });
        crew.execute(() -> {
            value.set("new");
            collection.refresh();
        });
        crew.execute(collection::refresh);
        crew.join();
        assertThat(last).hasValue(Map.of("p", "new"));
    }
}
