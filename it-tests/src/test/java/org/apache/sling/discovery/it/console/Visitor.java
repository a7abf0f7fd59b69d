// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.sling.discovery.launcher.ContainerProcess;

/**
 * Somebody who asks consoles without a browser.
 *
 * @param client what asks
 * @param loggedIn whether a name and a password are sent along
 */
record Visitor(HttpClient client, boolean loggedIn) {

    /** Asks for a page. */
    CompletableFuture<HttpResponse<String>> ask(URI address) {
        return client.sendAsync(request(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks for lines without an end. */
    CompletableFuture<HttpResponse<Void>> listen(URI address, Flow.Subscriber<String> lines) {
        return client.sendAsync(
                request(address).header("Accept", "text/event-stream").build(),
                HttpResponse.BodyHandlers.fromLineSubscriber(lines));
    }

    String page(URI address) throws Exception {
        return client.send(request(address).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Sends a form with this method and returns the status; an answer without an end is cut off. */
    int status(String method, URI address, String form) throws Exception {
        HttpRequest request = request(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, HttpRequest.BodyPublishers.ofString(form))
                .build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }

    private HttpRequest.Builder request(URI address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (loggedIn) {
            String login = ContainerProcess.CONSOLE_USER + ":" + ContainerProcess.CONSOLE_USER;
            String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + encoded);
        }
        return request;
    }
}
