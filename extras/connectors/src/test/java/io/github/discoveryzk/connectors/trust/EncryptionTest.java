// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import static io.github.discoveryzk.connectors.wire.Messages.PING;
import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.WireLimits;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptionTest {

    private static final String SALT = "AQIDBAUGBwgJ";
    private static final String IV = "EBESExQVFhcYGRobHB0eHw==";
    private static final String SECRET = "wxouGtpYSyALwZ2xvVwhCQ==";
    private static final String PLAIN = "{\"ownerId\":\"x\"}";
    private static final String BODY = "{\"payload\":[\"" + SALT + "\",\"" + IV + "\",\"" + SECRET + "\"]}";

    private final Encryption encryption = encryption("s3cret");

    private static Encryption encryption(String key) {
        return new Encryption(key, new SecureRandom());
    }

    private static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    @Test
    void derivesTheKeyAsSlingDoes() throws Exception {
        assertThat(HexFormat.of().formatHex(encryption.key(bytes(SALT)))).isEqualTo("8857c360b428a2108a78ace0149ffdba");
    }

    @Test
    void encryptsAsSlingDoes() {
        assertThat(encryption.encrypt(PLAIN, bytes(SALT), bytes(IV))).isEqualTo(BODY);
    }

    @Test
    void decryptsWhatSlingEncrypts() throws Exception {
        assertThat(encryption.decrypt(BODY)).isEqualTo(PLAIN);
    }

    @Test
    void eachMessageHasItsOwnSalt() throws Exception {
        String text = PING + "\u00e9\u4f60";
        String one = encryption.encrypt(text);
        String other = encryption.encrypt(text);

        assertThat(one).hasSameSizeAs(other);
        String[] parts = one.split(",");
        for (int i = 0; i < parts.length; i++) {
            assertThat(parts[i]).isNotEqualTo(other.split(",")[i]);
        }
        assertThat(encryption.decrypt(one)).isEqualTo(text);
    }

    @Test
    void anotherKeyCannotDecrypt() {
        assertInvalid(Reason.ENCRYPTION, () -> encryption("secret").decrypt(BODY))
                .hasMessageContaining("another key");
    }

    @Test
    void theOldKeyDerivationIsNotUnderstood() throws Exception {
        javax.crypto.Cipher cipher = javax.crypto.Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(
                javax.crypto.Cipher.ENCRYPT_MODE,
                new javax.crypto.spec.SecretKeySpec(HexFormat.of().parseHex("6aeba03869932177a96e532f394b45b8"), "AES"),
                new javax.crypto.spec.IvParameterSpec(bytes(IV)));
        String old = Base64.getEncoder().encodeToString(cipher.doFinal(PLAIN.getBytes("UTF-8")));

        assertInvalid(Reason.ENCRYPTION, () -> encryption.decrypt(BODY.replace(SECRET, old)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"payload\":[]}",
                "{\"payload\":[\"" + SALT + "\",\"" + IV + "\"]}",
                "{\"payload\":[\"" + SALT + "\",\"" + IV + "\",\"" + SECRET + "\",\"\"]}",
                "{\"payload\":[\"" + SALT + "\",\"" + IV + "\",\"\"]}",
                "{\"payload\":[\"" + SALT + "\",\"" + IV + "\",\"AAAA\"]}",
                "{\"payload\":[\"" + SALT + "\",\"" + SALT + "\",\"" + SECRET + "\"]}",
                "{\"payload\":[\"\",\"" + IV + "\",\"" + SECRET + "\"]}",
                "{\"payload\":[\"*\",\"" + IV + "\",\"" + SECRET + "\"]}",
                "{\"ownerId\":\"a\",\"protocolVersion\":1}"
            })
    void refusesWhatIsNotEncrypted(String body) {
        assertInvalid(Reason.ENCRYPTION, () -> encryption.decrypt(body)).hasMessageContaining("cannot be decrypted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"payload\":7}", "{\"payload\":[7]}", "{\"payload\":[],\"payload\":[]}"})
    void refusesWhatHasAnotherForm(String body) {
        assertInvalid(Reason.ENCRYPTION, () -> encryption.decrypt(body));
    }

    @Test
    void whatIsWithinTheLimitsBeforeEncryptionIsWithinThemAfterIt() {
        for (int bytes = 500; bytes < 524; bytes++) {
            WireLimits before = new WireLimits(bytes, 2, 3, 4).beforeEncryption();
            assertThat(encryption.encrypt("x".repeat(before.bodyBytes())).length())
                    .isBetween(bytes - 300, bytes);
            assertThat(before).isEqualTo(new WireLimits(before.bodyBytes(), 2, 3, 4));
        }
        assertThat(WireLimits.DEFAULT.beforeEncryption().bodyBytes()).isEqualTo(6_291_256);
        assertThat(new WireLimits(1, 1, 1, 1).beforeEncryption().bodyBytes()).isEqualTo(1);
    }
}
