// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import org.apache.sling.discovery.webconsole.markup.Sha256;
import org.junit.jupiter.api.Test;

/** The bundle contains a script of another project, unmodified. */
class VendoredScriptTest {

    /**
     * The file {@code dist/idiomorph.js} of bigskysoftware/idiomorph, version 0.7.4, as the project has published it.
     */
    private static final String IDIOMORPH_SHA_256 = "3b095454d21e436e7f4954f9c757576531e5abea689c25e78e205aed39a4a3e2";

    @Test
    void idiomorphIsUnmodified() throws IOException {
        try (InputStream script = getClass().getResourceAsStream("/res/lib/idiomorph-0.7.4.js")) {
            assertThat(HexFormat.of().formatHex(Sha256.digest(script.readAllBytes())))
                    .isEqualTo(IDIOMORPH_SHA_256);
        }
    }
}
