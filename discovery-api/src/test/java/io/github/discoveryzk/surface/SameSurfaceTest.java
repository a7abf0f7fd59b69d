// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.surface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.jupiter.api.Test;

class SameSurfaceTest {

    private static final Predicate<String> ALL = name -> true;

    private final SortedSet<String> released;
    private final SortedSet<String> ours;

    SameSurfaceTest() throws IOException {
        released = PublicSurface.ofJar(ReleasedJar.jar("sling.discovery.api.jar"), ALL);
        ours = PublicSurface.ofClassesAround(TopologyEvent.class, ALL);
    }

    @Test
    void theReleasedApiHasNineTypesAndAVersionedPackage() {
        assertThat(released).filteredOn(line -> line.contains(" TYPE ")).hasSize(10);
        assertThat(released)
                .filteredOn(line -> line.contains(" ANNOTATION "))
                .hasSize(8)
                .contains("org/apache/sling/discovery/package-info ANNOTATION"
                        + " Lorg/osgi/annotation/versioning/Version;{value=1.0.3}");
    }

    @Test
    void nothingIsMissing() {
        assertThat(ours).containsAll(released);
    }

    @Test
    void nothingIsExtra() {
        assertThat(released).containsAll(ours);
    }
}
