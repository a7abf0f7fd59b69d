// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.SignedHash;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedKeyTest {

    private static final Duration LIFETIME = Duration.ofHours(4);
    private static final int NUMBER = 120_000;
    private static final long NOW = NUMBER * LIFETIME.toMillis() + 5;
    private static final String PATH = "/libs/sling/topology/connector.11111111-1111-1111-1111-111111111111.json";
    private static final String BODY =
            "{\"payload\":[\"AQIDBAUGBwgJ\",\"EBESExQVFhcYGRobHB0eHw==\",\"wxouGtpYSyALwZ2xvVwhCQ==\"]}";
    private static final String HASH = "2UPsEk89xe+DrKG8rzo0DE2AEcAdQ4XzCnWoCCB0vwg=";
    private static final String SIGNATURE = "lerzACnWJBJQE0+TiUpEGX7TWMKBiDjHhYr1xM8y/zs=";

    private final SharedKey key = new SharedKey("s3cret", LIFETIME);

    private SignedHash verify(TrustHeaders headers, long now) throws InvalidMessage {
        return key.verify(Optional.of(headers.hash()), Optional.of(headers.trust()), now);
    }

    @Test
    void signsARequestAsSlingDoes() {
        assertThat(key.sign(Direction.REQUEST, PATH, BODY, NOW))
                .isEqualTo(new TrustHeaders(HASH, "120000/" + SIGNATURE));
        assertThat(List.of(TrustHeaders.HASH, TrustHeaders.TRUST, TrustHeaders.NONCE))
                .containsExactly("X-SlingTopologyHash", "X-SlingTopologyTrust", "X-DiscoveryTopologyNonce");
    }

    @Test
    void hashesARequestAReplyAndADeleteAsSlingDoes() throws Exception {
        assertThat(SharedKey.hash(Direction.REQUEST, PATH, BODY)).isEqualTo(HASH);
        assertThat(SharedKey.hash(Direction.REPLY, PATH, BODY))
                .isEqualTo("U5KuWePxMmdLvL2JEcRSi+jH0vkfWbA2gkvuGMCXIP0=");
        assertThat(SharedKey.hash(Direction.REQUEST, PATH, SharedKey.deletion(Optional.empty())))
                .isEqualTo("+CjiazxdxTRLkNcWBEnGp1tOgoVfyg8I1Itk0GaXYqU=");
    }

    @Test
    void derivesTheKeyAsSlingDoes() {
        assertThat(new String(key.key(NUMBER), StandardCharsets.US_ASCII))
                .isEqualTo("e1J2rqkpqDQsTA7jGOOCaYhuiH7hSLb/jZ4hSwHL80I=");
    }

    @Test
    void agreesWithWhatSlingsOwnClassProduced() {
        assertThat(key.sign(
                        Direction.REQUEST,
                        "/libs/sling/topology/connector.abc.json",
                        "{\"hello\":1}",
                        124_669 * LIFETIME.toMillis()))
                .isEqualTo(new TrustHeaders(
                        "2D9eXstqgUVGomEvN2s86JLvDq6/L+EzDA09xlKImcE=",
                        "124669/484EZ9oOFTLJGnD5kHPrfKsibelkWhQ3/0bbjEIGyJY="));
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, true", "-2, false", "2, false"})
    void acceptsTheKeysOfNowBeforeAndAfter(int offset, boolean accepted) throws Exception {
        TrustHeaders headers = key.sign(Direction.REQUEST, PATH, BODY, NOW + offset * LIFETIME.toMillis());

        if (accepted) {
            assertThat(verify(headers, NOW)
                            .verify(Direction.REQUEST, PATH, BODY)
                            .keyNumber())
                    .isEqualTo(NUMBER + offset);
        } else {
            assertInvalid(Reason.UNTRUSTED, () -> verify(headers, NOW))
                    .hasMessageContaining("key number " + (NUMBER + offset));
        }
    }

    @Test
    void refusesTheSignatureOfAnotherKey() {
        TrustHeaders headers = new SharedKey("secret", LIFETIME).sign(Direction.REQUEST, PATH, BODY, NOW);

        assertInvalid(Reason.UNTRUSTED, () -> verify(headers, NOW)).hasMessageContaining("the shared key differs");
    }

    @Test
    void refusesASignatureOfAnotherHashOrKeyNumber() {
        String other = SharedKey.hash(Direction.REQUEST, PATH, "{}");

        assertInvalid(Reason.UNTRUSTED, () -> verify(new TrustHeaders(other, "120000/" + SIGNATURE), NOW));
        assertInvalid(Reason.UNTRUSTED, () -> verify(new TrustHeaders(HASH, "120001/" + SIGNATURE), NOW));
    }

    @Test
    void refusesTheSameBytesInAnotherBase64Text() {
        String twin = SIGNATURE.replace("zs=", "zt=");
        assertThat(java.util.Base64.getDecoder().decode(twin))
                .isEqualTo(java.util.Base64.getDecoder().decode(SIGNATURE));

        assertInvalid(Reason.UNTRUSTED, () -> verify(new TrustHeaders(HASH, "120000/" + twin), NOW));
    }

    @Test
    void refusesAnotherMessageUnderASignedHash() throws Exception {
        SignedHash signed = verify(key.sign(Direction.REQUEST, PATH, BODY, NOW), NOW);

        signed.verify(Direction.REQUEST, PATH, BODY);
        assertInvalid(Reason.ALTERED, () -> signed.verify(Direction.REQUEST, PATH, BODY + " "));
        assertInvalid(Reason.ALTERED, () -> signed.verify(Direction.REQUEST, PATH + "x", BODY));
        assertInvalid(Reason.ALTERED, () -> signed.verify(Direction.REPLY, PATH, BODY));
        assertInvalid(
                        Reason.ALTERED,
                        () -> signed.verify(Direction.REQUEST, PATH, SharedKey.deletion(Optional.empty())))
                .hasMessageContaining("another message");
    }

    @Test
    void aNonceMakesADeleteUnique() throws Exception {
        String one = SharedKey.deletion(Optional.of("1"));

        assertThat(one).isNotEqualTo(SharedKey.deletion(Optional.of("2"))).isNotEqualTo("null");
        for (String illegal : new String[] {"", "a b", "x".repeat(65), "\u00e4", "a:b"}) {
            assertInvalid(Reason.UNTRUSTED, () -> SharedKey.deletion(Optional.of(illegal)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "120000",
                "120000/",
                "/" + SIGNATURE,
                "-120000/" + SIGNATURE,
                "+120000/" + SIGNATURE,
                " 120000/" + SIGNATURE,
                "120000/" + SIGNATURE + " ",
                "120000/" + SIGNATURE + "\n",
                "120000//" + SIGNATURE,
                "99999999999/" + SIGNATURE,
                "4295087296/" + SIGNATURE,
                "111111111111111111111111111111/" + SIGNATURE,
                "\u0661/" + SIGNATURE
            })
    void refusesHeadersOfAnotherForm(String trust) {
        assertInvalid(Reason.UNTRUSTED, () -> key.verify(Optional.of(HASH), Optional.of(trust), NOW));
    }

    @Test
    void refusesMissingAndDamagedHashes() {
        Optional<String> trust = Optional.of("120000/" + SIGNATURE);

        assertInvalid(Reason.UNTRUSTED, () -> key.verify(Optional.empty(), trust, NOW))
                .hasMessageContaining(TrustHeaders.HASH);
        assertInvalid(Reason.UNTRUSTED, () -> key.verify(Optional.of(HASH), Optional.empty(), NOW))
                .hasMessageContaining(TrustHeaders.TRUST);
        assertInvalid(Reason.UNTRUSTED, () -> key.verify(Optional.of(HASH + "\n"), trust, NOW));
        assertInvalid(Reason.UNTRUSTED, () -> key.verify(Optional.of(""), trust, NOW));
        assertInvalid(Reason.UNTRUSTED, () -> key.verify(Optional.of("\u00e9".repeat(43) + "="), trust, NOW));
    }
}
