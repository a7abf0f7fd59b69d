// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import static org.apache.sling.discovery.base.connector.wire.Messages.cluster;
import static org.apache.sling.discovery.base.connector.wire.Messages.instance;
import static org.apache.sling.discovery.base.connector.wire.Messages.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
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
        assertThat(Announcement.loop("a", 1, 0).lists("a")).isFalse();
    }

    @Test
    void returnsAllLevelsInOrder() {
        assertThat(deep.all()).extracting(Announcement::ownerId).containsExactly("a", "b", "c", "d");
        assertThat(deep.depth()).isEqualTo(3);
        assertThat(single("a").depth()).isEqualTo(1);
    }

    @Test
    void timesAndBackoffAreNoContent() {
        Announcement other = deep.stamped(99).withBackoff(150).withResetBackoff(true);

        assertThat(other).isNotEqualTo(deep);
        assertThat(other.nested().get(0).nested().get(0).created()).isEqualTo(99);
        assertThat(other.content()).isEqualTo(deep.content());
    }

    @Test
    void allElseIsContent() {
        assertThat(deep.content()).isNotEqualTo(deep.asInherited(true).content());
        assertThat(deep.content()).isNotEqualTo(deep.withServerInfo("host:1").content());
        assertThat(deep.content()).isNotEqualTo(deep.withNested(List.of()).content());
        assertThat(deep.content())
                .isNotEqualTo(single("a", single("b", single("e")), single("d")).content());
        Announcement property = Announcement.of(
                "a", 1, new AnnouncedCluster("cluster-a", List.of(new AnnouncedInstance("a", true, Map.of("p", "v")))));
        assertThat(single("a").content()).isNotEqualTo(property.content());
    }

    @Test
    void leavesOutOnlyInheritedOnesOfAnOwner() {
        Announcement told = single("b").asInherited(true);

        assertThat(single("a", told, single("d")).withoutInheritedOf("b")).isEqualTo(single("a", single("d")));
        assertThat(deep.withoutInheritedOf("b")).isEqualTo(deep);
        assertThat(single("a", single("c", told)).withoutInheritedOf("b"))
                .as("what is deeper stays, as in Sling")
                .isEqualTo(single("a", single("c", told)));
    }

    @Test
    void anOwnerOutsideItsClusterIsAProblem() {
        Announcement foreign = Announcement.of("x", 1, cluster("cluster-a", "a"));

        assertThat(foreign.registrationProblem())
                .hasValueSatisfying(why -> assertThat(why).contains("x", "cluster-a"));
        assertThat(single("a").registrationProblem()).isEmpty();
        assertThat(Announcement.loop("a", 1, 0).registrationProblem()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a/b", "a\\b", "a b", "a\n", "\u00e4", "%2F", "a\u202eb", "..%00", "\ud800", ".", "..", "..."
            })
    void idsWithOtherCharactersAreRefused(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> Announcement.loop(id, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> instance(id, true));
        assertThatIllegalArgumentException().isThrownBy(() -> cluster(id, "a"));
    }

    @Test
    void longIdsAreRefused() {
        assertThat(single("x".repeat(200).substring(8)).ownerId()).hasSize(192);
        assertThatIllegalArgumentException().isThrownBy(() -> Announcement.loop("x".repeat(201), 1, 0));
    }

    @Test
    void aClusterHasDifferentInstancesAndOneLeader() {
        assertThatIllegalArgumentException().isThrownBy(() -> cluster("c"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster("c", "a", "a"))
                .withMessageContaining("twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AnnouncedCluster("c", List.of(instance("a", true), instance("b", true))))
                .withMessageContaining("2 leaders");
        assertThat(new AnnouncedCluster("c", List.of(instance("a", false))).leader())
                .isEmpty();
        assertThat(cluster("c", "a", "b").leader()).contains(instance("a", true));
    }

    @Test
    void propertyNamesAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AnnouncedInstance("a", true, Map.of("a b", "")))
                .withMessageContaining("a b");
    }

    @Test
    void aLoopAnnouncementHasNothingElse() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Announcement.loop("a", 1, 0).withServerInfo("host:1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Announcement.loop("a", 1, 0).withNested(List.of(single("b"))));
        assertThatIllegalArgumentException().isThrownBy(() -> single("a", Announcement.loop("b", 1, 0)));
    }

    @Test
    void theBackoffHasARange() {
        assertThatIllegalArgumentException().isThrownBy(() -> Announcement.loop("a", 1, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Announcement.loop("a", 1, Announcement.MAX_BACKOFF_SECONDS + 1));
    }
}
