// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Messages.by;
import static org.apache.sling.discovery.base.connector.wire.Messages.cluster;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementTest {

    private final Announcement deep = single("a", single("b", single("c")), single("d"));

    @Test
    void listsTheInstancesOfAllLevels() {
        assertThat(deep.lists("a")).isTrue();
        assertThat(deep.lists("c")).isTrue();
        assertThat(deep.lists("e")).isFalse();
        assertThat(deep.listsAny(Set.of("e", "c"))).isTrue();
        assertThat(deep.listsAny(Set.of("e", "f"))).isFalse();
    }

    @Test
    void returnsAllLevelsInOrder() {
        assertThat(deep.all()).extracting(Announcement::ownerId).containsExactly("a", "b", "c", "d");
        assertThat(deep.depth()).isEqualTo(3);
        assertThat(single("a").depth()).isEqualTo(1);
    }

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
    void anOwnerOutsideItsClusterIsInconsistent() {
        assertThat(by("x", cluster("cluster-a", "a")).isConsistent()).isFalse();
        assertThat(single("a").isConsistent()).isTrue();
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
    void longIdsAreRefused() {
        assertThat(by("x".repeat(200), cluster("c", "a")).ownerId()).hasSize(200);
        assertThatIllegalArgumentException().isThrownBy(() -> Message.loop("x".repeat(201), 1, 0));
    }

    @Test
    void propertiesWithOtherNamesAreNotAnnounced() {
        assertThat(Announcement.announceable("a", Map.of("a b", "1", "", "2", "a.B_c-1", "3"))
                        .properties())
                .containsOnlyKeys("a.B_c-1");
    }

    @Test
    void theBackoffHasARange() {
        assertThatIllegalArgumentException().isThrownBy(() -> Message.loop("a", 1, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> Message.loop("a", 1, Message.MAX_BACKOFF_SECONDS + 1));
    }
}
