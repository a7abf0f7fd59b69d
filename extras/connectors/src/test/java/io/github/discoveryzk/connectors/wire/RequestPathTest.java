// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import static io.github.discoveryzk.connectors.wire.Messages.A1;
import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {

    private static String parse(String pathInfo) throws InvalidMessage {
        return RequestPath.senderId(pathInfo, "/context" + RequestPath.SERVLET + pathInfo);
    }

    @Test
    void readsTheIdOfTheSender() throws Exception {
        assertThat(parse("/connector." + A1 + ".json")).isEqualTo(A1);
        assertThat(parse("/whatever.x_1.json")).isEqualTo("x_1");
        assertThat(parse("/c." + "x".repeat(200) + ".json")).hasSize(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/connector",
                "/connector.json",
                "/connector..json",
                "/connector.x.xml",
                "/connector.x.JSON",
                "/connector.x.json.json",
                "/connector.x.y.json",
                "/connector.x.json/",
                "/a/connector.x.json",
                "//connector.x.json",
                "/../connector.x.json",
                "/connector.../x.json",
                "/connector.a/b.json",
                "/connector.a\\b.json",
                "/connector.a%2Fb.json",
                "/connector.a b.json",
                "/connector.a\u0000.json",
                "/connector.a\n.json",
                "/connector.x.json\n",
                "/connector.\u00e4.json",
                "/connector.x.json;jsessionid=1",
                "connector.x.json",
                "/.x.json"
            })
    void refusesOtherPaths(String pathInfo) {
        assertInvalid(Reason.PATH, () -> parse(pathInfo)).hasMessageContaining("connector");
    }

    @Test
    void refusesLongPaths() {
        assertInvalid(Reason.PATH, () -> parse("/c." + "x".repeat(201) + ".json"));
        assertInvalid(Reason.PATH, () -> parse("/" + "c".repeat(101) + ".x.json"));
        assertInvalid(Reason.PATH, () -> parse("/c." + "x".repeat(1_000_000) + ".json"));
    }

    @Test
    void refusesWhatIsEscaped() {
        String start = RequestPath.SERVLET;
        assertInvalid(Reason.PATH, () -> RequestPath.senderId("/connector.ab.json", start + "/connector.%61b.json"));
        assertInvalid(Reason.PATH, () -> RequestPath.senderId("/connector.a.json", start + "/connector%2Ea.json"));
        assertInvalid(Reason.PATH, () -> RequestPath.senderId("/connector.a.json", start + "%2Fconnector.a.json"));
        assertInvalid(Reason.PATH, () -> RequestPath.senderId("/connector.a.json", start + "/connector.a.json;x=y"));
        assertInvalid(Reason.PATH, () -> RequestPath.senderId(null, start));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/libs/sling/topology;x=y",
                "/libs/sling//topology",
                "//libs/sling/topology",
                "/libs/./sling/topology",
                "/libs/x/../sling/topology",
                "/libs/.../sling/topology",
                "/l%69bs/sling/topology",
                "/libs\\sling/topology",
                "/libs/sling/topology?",
                "/libs/sling topology",
                "/l\u0131bs/sling/topology",
                "http://host/libs/sling/topology",
                "libs/sling/topology",
                ";"
            })
    void refusesDetours(String servlet) {
        assertInvalid(Reason.PATH, () -> RequestPath.senderId("/connector.a.json", servlet + "/connector.a.json"));
    }

    @Test
    void acceptsAContextPath() throws Exception {
        assertThat(RequestPath.senderId("/connector.a.json", "/a-b_c.d~1" + RequestPath.SERVLET + "/connector.a.json"))
                .isEqualTo("a");
    }

    @Test
    void anIdWithADotDoesNotFit() {
        assertThat(RequestPath.isUsable(A1)).isTrue();
        assertThat(RequestPath.isUsable("a.b")).isFalse();
    }
}
