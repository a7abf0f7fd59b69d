// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.sling.discovery.it.outside.Limit;
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

    /**
     * Sends a form with this method and returns the status; an answer without an end is cut off. Each time on a connection of its
     * own, because servers close those on which they were asked strange things.
     */
    int status(String method, URI address, String form) throws IOException {
        byte[] body = form.getBytes(StandardCharsets.UTF_8);
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        String head = method + " " + address.getRawPath() + query + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + body.length + "\r\n" + (loggedIn ? "Authorization: " + login() + "\r\n" : "") + "\r\n";
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout((int) Limit.millis());
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            return Integer.parseInt(line.split(" ")[1]);
        }
    }

    private HttpRequest.Builder request(URI address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (loggedIn) {
            request.header("Authorization", login());
        }
        return request;
    }

    private static String login() {
        String login = ContainerProcess.CONSOLE_USER + ":" + ContainerProcess.CONSOLE_USER;
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }
}
