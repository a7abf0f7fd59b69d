// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {

    private static final AllowList.Name<RuntimeException> NOT_ASKED = any -> {
        throw new AssertionError("the name is not needed");
    };

    private static boolean allows(String entry, String address, String name) {
        AllowList list = AllowList.of(List.of(entry));
        assertThat(list.problems()).isEmpty();
        return list.allows(address, any -> name);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "10.1.2.3, ::ffff:10.1.2.3, true",
        "::1, 0:0:0:0:0:0:0:1, true",
        "::1, [::1], true",
        "::1, ::2, false",
        "localhost, 127.0.0.1, true",
        "LocalHost, ::1, true",
        "localhost, 127.0.0.2, false",
        "10.1.2.0/24, 10.1.2.0, true",
        "10.1.2.0/24, 10.1.2.255, true",
        "10.1.2.77/24, 10.1.2.1, true",
        "10.1.2.0/24, 10.1.3.0, false",
        "10.1.2.0/24, 10.1.1.255, false",
        "10.1.2.0/24, ::ffff:10.1.2.9, true",
        "10.1.2.0/24, ::1, false",
        "10.1.2.2/31, 10.1.2.2, true",
        "10.1.2.2/31, 10.1.2.3, true",
        "10.1.2.2/31, 10.1.2.4, false",
        "10.1.2.2/32, 10.1.2.2, true",
        "10.1.2.2/32, 10.1.2.3, false",
        "0.0.0.0/0, 255.1.2.3, true",
        "0.0.0.0/0, ::1, false",
        "10.1.2.3 255.255.255.0, 10.1.2.255, true",
        "10.1.2.3 255.255.255.0, 10.1.3.1, false",
        "10.1.2.3  255.255.255.255, 10.1.2.3, true",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::1/128, ::1, true",
        "::1/128, ::2, false",
        "fe80::/10, fe80::1%eth0, true",
        "::ffff:10.0.0.0/104, 10.9.9.9, true",
        "::ffff:10.0.0.0/104, 11.0.0.0, false",
        "::/0, 1.2.3.4, false",
        "10.1.2.?, 10.1.2.3, true",
        "10.1.2.?, 10.1.2.33, false",
        "10.*, 10.200.3.4, true",
        "*, 9.9.9.9, true",
        "*, ::1, true",
        "fd00:*, fd00::1, true"
    })
    void judgesAddresses(String entry, String address, boolean allowed) {
        assertThat(AllowList.of(List.of(entry)).allows(address, NOT_ASKED)).isEqualTo(allowed);
        assertThat(AllowList.of(List.of(entry)).problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "peer.example.com, peer.example.com, true",
        "peer.example.com, PEER.Example.com, true",
        "peer.example.com, apeer.example.com, false",
        "*.example.com, a.b.example.com, true",
        "*.example.com, example.com, false",
        "*.example.com, a.example.com.evil.org, false",
        "node?.example.com, node1.example.com, true",
        "node?.example.com, node12.example.com, false",
        "a*b*c, axxbyyc, true",
        "a*b*c, axxbyy, false"
    })
    void judgesNames(String entry, String name, boolean allowed) {
        assertThat(allows(entry, "9.9.9.9", name)).isEqualTo(allowed);
        assertThat(allows(entry, "9.9.9.9", "")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "10.*, 10.evil.org", "localhost, localhost", "10.1.2.0/24, 10.1.2.3"})
    void aNameCannotPassForAnAddress(String entry, String name) {
        assertThat(allows(entry, "9.9.9.9", name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.2.0/33",
                "10.1.2.0/",
                "10.1.2.0/-1",
                "10.1.2.0/+8",
                "10.1.2.0/1e1",
                "10.1.2/24",
                "10.1.2.0/24/8",
                "/0",
                "example.com/0",
                "::/129",
                "::ffff:10.0.0.0/24",
                "fe80::1%eth0/64",
                "10.1.2.3 255.0.255.0",
                "10.1.2.3 0.0.0.x",
                "10.1.2.3 ::",
                "::1 255.255.255.0",
                "example.com 255.255.255.0",
                "a b c",
                "10.1.2",
                "10.1.2.256",
                "1",
                "::g",
                "a_b!c",
                "http://example.com",
                "caf\u00e9"
            })
    void aMalformedEntryAllowsNothing(String entry) {
        AllowList list = AllowList.of(List.of(entry, "10.9.9.9"));

        assertThat(list.problems())
                .singleElement()
                .asString()
                .contains("allow list is ignored")
                .matches("[ -~]*");
        assertThat(list.allows("10.9.9.9", NOT_ASKED))
                .as("the other entry counts")
                .isTrue();
        for (String peer : List.of("10.1.2.3", "10.1.2.0", "1.0.0.0", "::1", "::ffff:10.0.0.1", "0.0.0.1")) {
            assertThat(list.allows(peer, NOT_ASKED)).as(peer).isFalse();
        }
    }

    @Test
    void emptyEntriesAreIgnored() {
        AllowList list = AllowList.of(List.of("", "  "));

        assertThat(list.problems()).isEmpty();
        assertThat(list.allows("127.0.0.1", NOT_ASKED)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unknown", "localhost", "evil.example.com", "1.2.3.4.5.6", ":::", "[::1"})
    void aPeerWithoutAnAddressIsNotAllowedAndNoNameIsLookedUp(String peer) {
        AllowList list = AllowList.of(List.of("*", "localhost", "*.example.com"));
        assertThat(list.allows(peer, NOT_ASKED)).isFalse();
    }

    @Test
    void theNameIsAskedForOnce() {
        int[] asked = {0};
        AllowList list = AllowList.of(List.of("a.example.com", "b.example.com", "c.example.com"));

        assertThat(list.allows("9.9.9.9", any -> {
                    asked[0]++;
                    return "c.example.com";
                }))
                .isTrue();
        assertThat(asked[0]).isEqualTo(1);
    }

    @Test
    void manyStarsTakeBoundedTime() {
        assertThat(AllowList.pattern("*a".repeat(100)).test("a".repeat(250) + "b"))
                .isFalse();
        assertThat(AllowList.pattern("*a".repeat(100)).test("a".repeat(250))).isTrue();
    }
}
