// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageBodyTest {

    private final MessageBody body = new MessageBody(new WireLimits(100, 1, 1, 1));

    private String text(byte[] bytes, String contentType) throws InvalidMessage {
        return body.text(bytes, Optional.empty(), Optional.ofNullable(contentType));
    }

    @Test
    void withoutACharacterSetATextIsUtf8() throws Exception {
        byte[] bytes = "\u00e9\u4f60".getBytes(StandardCharsets.UTF_8);

        assertThat(text(bytes, null)).isEqualTo("\u00e9\u4f60");
        assertThat(text(bytes, "application/json")).isEqualTo("\u00e9\u4f60");
        assertThat(text(bytes, MessageBody.CONTENT_TYPE)).isEqualTo("\u00e9\u4f60");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json; charset=ISO-8859-1|ISO-8859-1",
                "application/json;CHARSET=latin1|ISO-8859-1",
                "application/json; charset=\"utf-16be\"|UTF-16BE",
                "application/json; x=y ; charset = utf-8 ; z|UTF-8",
                "application/json; charset=utf-8; charset=UTF8|UTF-8"
            })
    void aNamedCharacterSetCounts(String contentType, String charset) throws Exception {
        assertThat(text("\u00e9".getBytes(Charset.forName(charset)), contentType))
                .isEqualTo("\u00e9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a/b; charset=x-nothing", "a/b; charset=EBCDIC-CP-US", "a/b; charset=", "a/b; charset=\u0000"})
    void anotherCharacterSetIsRefused(String contentType) {
        assertInvalid(Reason.ENCODING, () -> text(new byte[0], contentType)).hasMessageContaining("Content-Type");
    }

    @Test
    void bytesThatDoNotFollowTheCharacterSetAreRefused() {
        byte[] latin = "\u00e9".getBytes(StandardCharsets.ISO_8859_1);

        assertInvalid(Reason.ENCODING, () -> text(latin, null)).hasMessageContaining("not UTF-8");
        assertInvalid(Reason.ENCODING, () -> text(latin, "a/b; charset=us-ascii"))
                .hasMessageContaining("not US-ASCII");
        assertInvalid(Reason.ENCODING, () -> text(new byte[] {(byte) 0xC0, (byte) 0xAF}, null));
        assertInvalid(Reason.ENCODING, () -> text(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "x-gzip", " gzip "})
    void readsGzip(String coding) throws Exception {
        assertThat(body.text(MessageBody.bytes("\u00e9", true), Optional.of(coding), Optional.empty()))
                .isEqualTo("\u00e9");
    }

    @Test
    void otherCodingsAreRefused() throws Exception {
        assertThat(body.text(MessageBody.bytes("x", false), Optional.of("identity"), Optional.empty()))
                .isEqualTo("x");
        for (String coding : new String[] {"br", "deflate", "gzip, gzip", "agzip"}) {
            assertInvalid(Reason.ENCODING, () -> body.text(new byte[0], Optional.of(coding), Optional.empty()))
                    .hasMessageContaining(coding);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip|true",
                "gzip,deflate|true",
                "deflate, GZIP;q=0.5|true",
                "gzip;q=0|false",
                "gzip;q=0.000|false",
                "identity|false",
                "ungzip|false",
                "*|false"
            })
    void gzipIsForThoseWhoNameIt(String acceptEncoding, boolean accepted) {
        assertThat(MessageBody.acceptsGzip(Optional.of(acceptEncoding))).isEqualTo(accepted);
        assertThat(MessageBody.acceptsGzip(Optional.empty())).isFalse();
    }

    @Test
    void readsNoMoreThanTheLimit() throws Exception {
        assertThat(body.read(new ByteArrayInputStream(new byte[100]))).hasSize(100);
        int[] count = {0};
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                count[0]++;
                return 'x';
            }
        };

        assertInvalid(Reason.TOO_LARGE, () -> body.read(endless)).hasMessageContaining("100 bytes");
        assertThat(count[0]).isEqualTo(101);
    }

    @Test
    void lengthsAreLimitedBeforeReading() throws Exception {
        body.checkLength(-1);
        body.checkLength(100);
        assertInvalid(Reason.TOO_LARGE, () -> body.checkLength(101));
        assertInvalid(Reason.TOO_LARGE, () -> body.checkLength(1L << 32));
        assertInvalid(Reason.TOO_LARGE, () -> text(new byte[101], null));
        assertInvalid(Reason.TOO_LARGE, () -> text(new byte[0], "a/b;" + " ".repeat(1_000)));
    }

    private static byte[] hello() {
        return MessageBody.bytes("hello", true);
    }

    private void noGzip(byte[] bytes) {
        assertInvalid(Reason.ENCODING, () -> body.text(bytes, Optional.of("gzip"), Optional.empty()))
                .hasMessageContaining("gzip");
    }

    @Test
    void gzipThatIsCutIsRefused() {
        for (int length = 0; length < hello().length; length++) {
            noGzip(Arrays.copyOf(hello(), length));
        }
    }

    @Test
    void gzipThatIsDamagedIsRefused() {
        for (int at = 0; at < hello().length; at++) {
            byte[] damaged = hello();
            damaged[at] ^= 0x40;
            boolean meansNothing = at >= 4 && at < 10;
            boolean padding = at == damaged.length - 9;
            if (!meansNothing && !padding) {
                noGzip(damaged);
            }
        }
    }

    @Test
    void aSecondMemberOfGzipIsRefused() {
        byte[] empty = MessageBody.bytes("", true);
        byte[] two = Arrays.copyOf(hello(), hello().length + empty.length);
        System.arraycopy(empty, 0, two, hello().length, empty.length);

        noGzip(two);
    }

    @Test
    void inflatedBytesAreLimited() throws Exception {
        Optional<String> gzip = Optional.of("gzip");

        assertThat(body.text(MessageBody.bytes("x".repeat(100), true), gzip, Optional.empty()))
                .hasSize(100);
        assertInvalid(
                Reason.TOO_LARGE, () -> body.text(MessageBody.bytes("x".repeat(101), true), gzip, Optional.empty()));
    }
}
