// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    private static final String HASH = "jAwbxUeNMYUzuEBAC4FDpVq3GCs=";
    private static final ACL WORLD_READS = new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE);

    private static ACL acl(int permissions, String scheme, String id) {
        return new ACL(permissions, new Id(scheme, id));
    }

    private static Access access(String... entries) {
        return Access.of(List.of(entries), List.of());
    }

    private static boolean matches(Access access, List<Id> identities, ACL... found) {
        return access.matches(List.of(found), identities);
    }

    @Test
    void keywordsAreNotEntries() {
        assertThat(access("open")).isEqualTo(Access.OPEN);
        assertThat(Access.OPEN.entries()).isEqualTo(Ids.OPEN_ACL_UNSAFE);
        assertThat(access("creator").entries()).isEqualTo(Ids.CREATOR_ALL_ACL);
        assertThat(Access.of(List.of("open"), List.of("world")).words()).isEqualTo("open");
        assertThat(Access.of(List.of("creator"), List.of("world")).words()).isEqualTo("creator, world:anyone:r");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sasl:app:cdrwa                 | 31 | sasl   | app",
                "sasl:app/host@REALM:adwrc      | 31 | sasl   | app/host@REALM",
                "x509:CN=a,OU=x:y,O=b:rw        |  3 | x509   | CN=a,OU=x:y,O=b",
                "digest:u:" + HASH + ":r        |  1 | digest | u:" + HASH,
                "ip:2001:db8::/32:cdrwa         | 31 | ip     | 2001:db8::/32",
                "auth::cdrwa                    | 31 | auth   | ''",
                "world:anyone:cd                | 12 | world  | anyone"
            })
    void permissionsComeAfterTheLastColon(String text, int permissions, String scheme, String id) {
        assertThat(access(text).entries()).containsExactly(acl(permissions, scheme, id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "oepn",
                "OPEN",
                "",
                ":a:r",
                "sasl:app",
                "digest:u:secret",
                "digest:u:secret:cdrwa",
                "digest:secret:cdrwa",
                "sasl::cdrwa",
                "auth:x:cdrwa",
                "world:all:r",
                "sasl:app:",
                "sasl:app:rx",
                "sasl:app:CDRWA",
                "open"
            })
    void aWrongEntryIsNamedWithoutItsSecret(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> access("sasl:good:cdrwa", text, "sasl:bad:x"))
                .withMessage("'" + text.replaceFirst(":.*", ":…")
                        + "' is neither a keyword nor an entry such as sasl:name:cdrwa or digest:user:hash:cdrwa");
    }

    @Test
    void noEntryIsNotOpen() {
        assertThatIllegalArgumentException().isThrownBy(AccessTest::access).withMessage("acl has no entry");
    }

    @Test
    void readersOnlyRead() {
        assertThat(Access.of(List.of("creator"), List.of("world", "anyone", "sasl:monitor:r"))
                        .entries())
                .containsExactly(
                        acl(Perms.ALL, "auth", ""), WORLD_READS, WORLD_READS, acl(Perms.READ, "sasl", "monitor"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sasl:monitor:rw", "sasl:monitor", "everyone", "creator", "open", "", "digest:u:secret:r"})
    void aReaderIsNothingElse(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.of(List.of("open"), List.of("world", value)))
                .withMessageEndingWith("' is neither a keyword nor an entry such as sasl:name:r")
                .withMessageNotContaining("secret");
    }

    @Test
    void displayMasksHashes() {
        assertThat(access("digest:u:" + HASH + ":cdrwa", "x509:CN=a,O=b:r").words())
                .isEqualTo("digest:u:…:cdrwa, x509:CN=a,O=b:r");
    }

    @Test
    void aPartOfTheRightsIsNotAll() {
        Id own = new Id("sasl", "app");
        List<ACL> readers = List.of(acl(Perms.READ, "world", "anyone"), acl(Perms.ALL, "sasl", "app"));
        assertThat(Access.permitsAll(readers, List.of(own))).isTrue();
        assertThat(Access.permitsAll(readers, List.of(new Id("sasl", "other")))).isFalse();
        assertThat(Access.permitsAll(List.of(acl(Perms.ALL & ~Perms.ADMIN, "sasl", "app")), List.of(own)))
                .isFalse();
    }

    @Test
    void openNodesMatchOpenOnly() {
        List<Id> ip = List.of(new Id("ip", "127.0.0.1"));
        assertThat(matches(Access.OPEN, ip, acl(31, "world", "anyone"))).isTrue();
        assertThat(matches(access("creator"), ip, acl(31, "world", "anyone"))).isFalse();
        assertThat(matches(access("sasl:a:cdrwa"), ip, acl(31, "world", "anyone")))
                .isFalse();
        assertThat(matches(Access.OPEN, ip, acl(31, "sasl", "a"))).isFalse();
        assertThat(matches(Access.OPEN, ip, acl(31, "world", "anyone"), acl(1, "sasl", "a")))
                .isFalse();
    }

    @Test
    void nodesOfACreatorHaveAllItsIdentities() {
        Access creator = access("creator");
        List<Id> own = List.of(
                new Id("ip", "::1"), new Id("digest", "u:8xJeoMakDQaA8NkfWetBIBym4mk="), new Id("x509", "CN=a"));
        ACL digest = acl(31, "digest", "u:8xJeoMakDQaA8NkfWetBIBym4mk=");
        ACL certificate = acl(31, "x509", "CN=a");
        assertThat(matches(creator, own, digest, certificate)).isTrue();
        assertThat(matches(creator, own, digest)).isFalse();
        assertThat(matches(creator, own, digest, certificate, WORLD_READS)).isFalse();
        assertThat(matches(creator, own, digest, acl(31, "x509", "CN=b"))).isFalse();
        assertThat(matches(creator, own, digest, acl(15, "x509", "CN=a"))).isFalse();
        assertThat(matches(creator, own, acl(31, "digest", "u:x"), certificate)).isFalse();
        ACL earlier = acl(31, "digest", "u:" + HASH);
        assertThat(matches(creator, own, earlier, certificate)).isFalse();
        assertThat(matches(creator, own, digest, earlier, certificate)).isFalse();
        assertThat(matches(creator, own, acl(31, "digest", "ux:8xJeoMakDQaA8NkfWetBIBym4mk="), certificate))
                .isFalse();
        assertThat(matches(creator, List.of(new Id("ip", "::1")), acl(31, "ip", "::1")))
                .isFalse();
        Access readable = Access.of(List.of("creator"), List.of("world"));
        assertThat(matches(readable, own, digest, certificate, WORLD_READS)).isTrue();
        assertThat(matches(readable, own, digest, certificate)).isFalse();
    }
}
