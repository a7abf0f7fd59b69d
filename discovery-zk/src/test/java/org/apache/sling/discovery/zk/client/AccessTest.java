// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

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
        assertThat(Access.of(List.of("open"), List.of(WORLD_READS)).words()).isEqualTo("open");
        assertThat(Access.of(List.of("creator"), List.of(WORLD_READS)).words()).isEqualTo("creator, world:anyone:r");
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
    @CsvSource(
            delimiter = '|',
            value = {
                "oepn                    | 'oepn' is neither a keyword",
                "OPEN                    | 'OPEN' is neither a keyword",
                "''                      | '' is neither a keyword",
                ":a:r                    | ':…' is neither a keyword",
                "sasl:app                | 'sasl:…' is neither a keyword",
                "digest:u:secret         | digest has a user and the hash",
                "digest:u:secret:cdrwa   | digest has a user and the hash",
                "digest:secret:cdrwa     | digest has a user and the hash",
                "sasl::cdrwa             | sasl needs an id",
                "auth:x:cdrwa            | auth needs an id; only that of auth is empty",
                "world:all:r             | world has the id anyone",
                "sasl:app:               | sasl has no permissions",
                "sasl:app:rx             | sasl has no permissions",
                "sasl:app:CDRWA          | sasl has no permissions",
                "open                    | sasl has no permissions"
            })
    void aWrongEntryIsNamedWithoutItsSecret(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> access("sasl:good:cdrwa", text, "sasl:bad:x"))
                .withMessageContaining(text.equals("open") ? "'open' is neither" : reason)
                .withMessageNotContaining("secret");
    }

    @Test
    void noEntryIsNotOpen() {
        assertThatIllegalArgumentException().isThrownBy(AccessTest::access).withMessage("it has no entry");
    }

    @Test
    void readersOnlyRead() {
        assertThat(Access.readers(List.of())).isEmpty();
        assertThat(Access.readers(List.of("world", "anyone", "sasl:monitor:r")))
                .containsExactly(WORLD_READS, WORLD_READS, acl(Perms.READ, "sasl", "monitor"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sasl:monitor:rw", "sasl:monitor", "everyone", "creator", "open", ""})
    void aReaderIsNothingElse(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> Access.readers(List.of("world", value)));
    }

    @Test
    void displayMasksHashes() {
        assertThat(access("digest:u:" + HASH + ":cdrwa", "x509:CN=a,O=b:r").words())
                .isEqualTo("digest:u:…:cdrwa, x509:CN=a,O=b:r");
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
        List<Id> own = List.of(new Id("ip", "::1"), new Id("digest", "u"), new Id("x509", "CN=a"));
        ACL digest = acl(31, "digest", "u:" + HASH);
        ACL certificate = acl(31, "x509", "CN=a");
        assertThat(matches(creator, own, digest, certificate)).isTrue();
        assertThat(matches(creator, own, digest)).isFalse();
        assertThat(matches(creator, own, digest, certificate, WORLD_READS)).isFalse();
        assertThat(matches(creator, own, digest, acl(31, "x509", "CN=b"))).isFalse();
        assertThat(matches(creator, own, digest, acl(15, "x509", "CN=a"))).isFalse();
        assertThat(matches(creator, own, acl(31, "digest", "u:x"), certificate)).isFalse();
        assertThat(matches(creator, own, acl(31, "digest", "ux:" + HASH), certificate))
                .isFalse();
        assertThat(matches(creator, List.of(new Id("ip", "::1")), acl(31, "ip", "::1")))
                .isFalse();
        Access readable = Access.of(List.of("creator"), List.of(WORLD_READS));
        assertThat(matches(readable, own, digest, certificate, WORLD_READS)).isTrue();
        assertThat(matches(readable, own, digest, certificate)).isFalse();
    }

    @Test
    void strangersMayDoMoreThanRead() {
        List<Id> own = List.of(new Id("sasl", "a"));
        List<ACL> found = List.of(
                acl(31, "sasl", "a"),
                acl(31, "sasl", "b"),
                acl(1, "sasl", "c"),
                acl(31, "ip", "::1"),
                acl(3, "x509", "d"));
        assertThat(access("creator").strangers(found, own)).containsExactly(new Id("sasl", "b"), new Id("x509", "d"));
        assertThat(access("sasl:b:cdrwa", "creator").strangers(found, own)).containsExactly(new Id("x509", "d"));
    }
}
