// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContentPolicyTest {
    private static final String ROOT = "<div class=\"dz\"><div id=\"discovery-topology\" data-page=\"overview\">";

    /** Of <code>alert(1)</code>, made with another tool. */
    private static final String ALERT = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";

    @Test
    void nothingIsAllowedInsideOfAPageByItself() {
        assertThat(ContentPolicy.of(ROOT + "</div></div>"))
                .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'");
    }

    @Test
    void theConsolesOwnScriptsAreAllowedAndNoOthers() {
        assertThat(ContentPolicy.of("<script type=\"text/javascript\">alert(1)</script>" + ROOT))
                .contains("script-src 'self' " + ALERT + ";");
        assertThat(ContentPolicy.of(ROOT + "<script>alert(1)</script>")).contains("script-src 'self';");
        assertThat(ContentPolicy.of("<script>alert(1)</script>")).contains("script-src 'self';");
    }

    @Test
    void aScriptWithAnAddressNeedsNoHash() {
        assertThat(ContentPolicy.of("<script src=\"/a.js\"></script><script>alert(1)</script>" + ROOT))
                .contains("script-src 'self' " + ALERT + ";");
    }

    @Test
    void theConsolesOwnStylesAreAllowed() {
        assertThat(ContentPolicy.of("<div class=\"a\" style=\"alert(1)\">&nbsp;</div>" + ROOT))
                .contains("style-src 'self' 'unsafe-hashes' " + ALERT + ";", "script-src 'self';");
        assertThat(ContentPolicy.of("<style>alert(1)</style>" + ROOT)).contains("style-src 'self' " + ALERT + ";");
    }

    @Test
    void whatLooksLikeAStyleInTheContentIsNotLookedAt() {
        assertThat(ContentPolicy.of(ROOT + "<p style=\"alert(1)\">")).contains("style-src 'self';");
    }

    @Test
    void lineEndsAreThoseThatBrowsersSee() {
        assertThat(ContentPolicy.of("<script>a\r\nb</script>" + ROOT))
                .isEqualTo(ContentPolicy.of("<script>a\nb</script>" + ROOT));
    }
}
