// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The imports and contents of the bundle. */
class BundleIT {

    @Test
    void importsOnlyWhatEveryContainerHas() throws IOException {
        try (JarFile jar = jar()) {
            String imports = attribute(jar, "Import-Package");
            assertThat(imports.replaceAll("\"[^\"]*\"", "").split(","))
                    .extracting(clause -> clause.split(";")[0])
                    .filteredOn(name -> !name.startsWith("java."))
                    .containsExactlyInAnyOrder(
                            "io.github.discoveryzk.model",
                            "io.github.discoveryzk.report",
                            "org.osgi.framework",
                            "org.osgi.framework.wiring",
                            "org.osgi.util.tracker",
                            "org.slf4j");
            assertThat(imports)
                    .contains("org.slf4j;version=\"[1.7,3)\"")
                    .contains("io.github.discoveryzk.report;version=\"[0.6,0.7)\"");
        }
    }

    @Test
    void carriesItsComponentsAndItsResources() throws IOException {
        try (JarFile jar = jar()) {
            for (String component : attribute(jar, "Service-Component").split(",")) {
                assertThat(jar.getEntry(component)).as(component).isNotNull();
            }
            assertThat(jar.getEntry("res/topology.css")).isNotNull();
            assertThat(jar.getEntry("res/topology.js")).isNotNull();
            assertThat(jar.getEntry("res/topology.schema.json")).isNotNull();
            assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
            assertThat(jar.getEntry("META-INF/FastDoubleParser-LICENSE")).isNotNull();
        }
    }

    private static JarFile jar() throws IOException {
        return new JarFile(new File(System.getProperty("bundle.jar")));
    }

    private static String attribute(JarFile jar, String name) throws IOException {
        Attributes attributes = jar.getManifest().getMainAttributes();
        return attributes.getValue(name);
    }
}
