// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report as JSON, as a monitor gets it from a container's console. */
class TopologyDocumentIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    private ContainerProcess container;

    @Test
    void aMonitorFollowsTheCluster() throws Exception {
        try (Containers containers = new Containers(folder)) {
            container = containers.start("one", "a");
            awaitOrder(List.of("a"), container);
            JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(send("GET", "/res/topology.schema.json", "").body());

            HttpResponse<String> alone = untilTagged();
            assertThat(schema.validate(json(alone))).isEmpty();
            assertThat(json(alone).at("/clusters/0/instances")).hasSize(1);
            assertThat(json(alone).at("/history/entries")).hasSize(1);
            assertThat(send("HEAD", ".json", "").body()).isEmpty();

            ContainerProcess other = containers.start("two", "b");
            awaitOrder(List.of("a", "b"), container, other);
            HttpResponse<String> both = send("GET", ".json", tag(alone));
            assertThat(both.statusCode()).isEqualTo(200);
            assertThat(schema.validate(json(both))).isEmpty();
            assertThat(json(both).at("/clusters/0/instances")).hasSize(2);
            long first = json(alone).at("/view/number").asLong();
            JsonNode part = json(send("GET", ".json?since=" + first + "&filter=" + encoded("(leader=false)"), ""));
            assertThat(schema.validate(part)).isEmpty();
            assertThat(part.at("/clusters/0/instances")).hasSize(1);
            assertThat(part.at("/clusters/0/instances/0/id").asText()).isEqualTo("b");
            assertThat(part.at("/history/entries")).hasSize(1);

            containers.server().close();
            awaitThat("cut off", () -> json(send("GET", ".json", ""))
                    .at("/status/state")
                    .asText()
                    .equals("CUT_OFF"));
            JsonNode cutOff = json(send("GET", ".json", tag(both)));
            assertThat(schema.validate(cutOff)).isEmpty();
            assertThat(cutOff.at("/view/current").asBoolean(true)).isFalse();
            assertThat(cutOff.at("/health/status").asText()).isEqualTo("CRITICAL");
        }
    }

    /** Waits until the document does not change any more, so that it need not be sent again. */
    private HttpResponse<String> untilTagged() throws Exception {
        awaitThat(
                "nothing new",
                () -> send("GET", ".json", tag(send("GET", ".json", ""))).statusCode() == 304);
        return send("GET", ".json", "");
    }

    private HttpResponse<String> send(String method, String rest, String knownTag) throws Exception {
        String login = ContainerProcess.CONSOLE_USER + ":" + ContainerProcess.CONSOLE_USER;
        HttpRequest.Builder request = HttpRequest.newBuilder(address(rest))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        if (!knownTag.isEmpty()) {
            request.header("If-None-Match", knownTag);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI address(String rest) {
        return URI.create(container.consoleUri() + rest);
    }

    private static String tag(HttpResponse<String> response) {
        return response.headers().firstValue("ETag").orElse("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static JsonNode json(HttpResponse<String> response) throws Exception {
        return MAPPER.readTree(response.body());
    }
}
