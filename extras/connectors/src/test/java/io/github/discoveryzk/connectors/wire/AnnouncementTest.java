// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static io.github.discoveryzk.connectors.wire.Messages.by;
import static io.github.discoveryzk.connectors.wire.Messages.cluster;
import static io.github.discoveryzk.connectors.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementTest {

    private final Announcement deep = single("a", single("b", single("c")), single("d"));

    @Test
    void leavesOutOnlyInheritedOnesOfAnOwner() {
        Announcement notified = single("b").asInherited(true);

        assertThat(single("a", notified, single("d")).withoutInheritedOf("b")).isEqualTo(single("a", single("d")));
        assertThat(deep.withoutInheritedOf("b")).isEqualTo(deep);
        assertThat(single("a", single("c", notified)).withoutInheritedOf("b"))
                .as("what is deeper stays, as in Sling")
                .isEqualTo(single("a", single("c", notified)));
    }

    @Test
    void propertiesGoOnAllLevels() {
        Announcement inner = by("b", cluster("b", "b", Map.of("p", "v")));

        assertThat(by("a", cluster("a", "a", Map.of("p", "v")), inner).withoutProperties())
                .isEqualTo(by("a", cluster("a", "a"), by("b", cluster("b", "b"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a/b", "a\\b", "a b", "a\n", "\u00e4", "%2F", "a\u202eb", "..%00", "\ud800", ".", "..", "..."
            })
    void idsWithOtherCharactersAreRefused(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> Message.loop(id, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> by(id, cluster("c", "a")));
        assertThatIllegalArgumentException().isThrownBy(() -> by("a", cluster("c", "a", id)));
        assertThatIllegalArgumentException().isThrownBy(() -> by("a", cluster(id, "a")));
    }

    @Test
    void propertiesWithOtherNamesAreNotAnnounced() {
        assertThat(Announcement.announceable("a", Map.of("a b", "1", "", "2", "a.B_c-1", "3"))
                        .properties())
                .containsOnlyKeys("a.B_c-1");
    }
}
