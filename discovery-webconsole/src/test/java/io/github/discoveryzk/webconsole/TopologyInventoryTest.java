// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.Bound;
import io.github.discoveryzk.webconsole.testing.PublishedSchema;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.felix.inventory.Format;
import org.junit.jupiter.api.Test;

class TopologyInventoryTest {
    private final TopologyInventory inventory = new TopologyInventory();

    @Test
    void textAndJsonHaveEverything() throws Exception {
        Bound.in(inventory, "reporter", new AskedReporter(Reports.settled(2)));
        assertThat(print(Format.TEXT))
                .startsWith("State:         Settled since ")
                .contains("History of views");
        assertThat(PublishedSchema.valid(print(Format.JSON)).at("/clusters/0/instances"))
                .hasSize(2);
    }

    @Test
    void htmlIsAFragmentWithNothingButTheText() throws Exception {
        Bound.in(inventory, "reporter", new AskedReporter(Reports.hostile("<script>alert(\"1\")</script>${appRoot}")));
        assertThat(print(Format.HTML))
                .startsWith("<pre>State:")
                .endsWith("</pre>")
                .contains("&lt;script&gt;")
                .doesNotContain("<script", "${");
    }

    @Test
    void eachFormatSaysThatTheServiceIsAbsent() {
        assertThat(print(Format.TEXT)).isEqualTo("The discovery service is not active.\n");
        assertThat(print(Format.HTML)).isEqualTo("<pre>The discovery service is not active.\n</pre>");
        PublishedSchema.valid(print(Format.JSON), "error");
    }

    private String print(Format format) {
        StringWriter out = new StringWriter();
        inventory.print(new PrintWriter(out), format, false);
        return out.toString();
    }
}
