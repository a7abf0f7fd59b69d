// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.surface.PublicSurface;
import io.github.discoveryzk.surface.ReleasedJar;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class SameSurfaceTest {

    private static final Predicate<String> OF_THE_PACKAGE =
            name -> name.matches("org/apache/sling/discovery/commons/[^/]+");
    private static final Predicate<String> HELPERS = OF_THE_PACKAGE.and(
            name -> name.matches(".*/(InstancesDiff|InitDelayingTopologyEventListener|package-info)(\\$.*)?"));

    private final List<String> released;
    private final List<String> ours;

    SameSurfaceTest() throws IOException {
        released = List.copyOf(PublicSurface.ofJar(ReleasedJar.jar("sling.discovery.commons.jar"), OF_THE_PACKAGE));
        ours = List.copyOf(PublicSurface.ofClassesAround(InstancesDiff.class, HELPERS));
    }

    @Test
    void theReleaseIsReadWithItsTypesAndConstructors() {
        assertThat(released).filteredOn(line -> line.contains(" TYPE ")).hasSize(4);
        assertThat(released)
                .filteredOn(line -> line.contains("EventListener.<init>(") && line.contains(" METHOD "))
                .hasSize(4);
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
