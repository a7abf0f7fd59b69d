// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.surface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.jupiter.api.Test;

class ManifestTest {

    private final URL classes =
            TopologyEvent.class.getProtectionDomain().getCodeSource().getLocation();
    private final Attributes headers;

    ManifestTest() throws IOException {
        try (InputStream manifest = new URL(classes, "META-INF/MANIFEST.MF").openStream()) {
            headers = new Manifest(manifest).getMainAttributes();
        }
    }

    @Test
    void exportsTheApiPackageAndNothingElse() {
        assertThat(headers.getValue("Export-Package")).isEqualTo("org.apache.sling.discovery;version=\"1.0.3\"");
    }

    @Test
    void needsNothingButTheJdk() {
        assertThat(headers.getValue("Import-Package").split(",")).allMatch(name -> name.matches("java\\.[a-z.]+"));
        assertThat(headers.getValue("Require-Capability"))
                .isEqualTo("osgi.ee;filter:=\"(&(osgi.ee=JavaSE)(version=17))\"");
        assertThat(headers.keySet().stream().map(Object::toString))
                .doesNotContain("Require-Bundle", "DynamicImport-Package", "Private-Package", "Bundle-Activator");
    }

    @Test
    void holdsLicenceAndNotice() throws IOException {
        for (String file : new String[] {"LICENSE", "NOTICE"}) {
            try (InputStream text = new URL(classes, "META-INF/" + file).openStream()) {
                assertThat(text.readAllBytes()).as(file).isNotEmpty();
            }
        }
    }
}
