// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
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
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A client of consoles without a browser.
 *
 * @param client the HTTP client
 * @param loggedIn whether it sends a name and a password
 */
public record Visitor(HttpClient client, boolean loggedIn) {

    /** Requests a page. */
    public CompletableFuture<HttpResponse<String>> ask(URI address) {
        return client.sendAsync(request(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Requests a page with a further header. */
    public CompletableFuture<HttpResponse<String>> ask(URI address, String header, String value) {
        return client.sendAsync(request(address).header(header, value).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Requests the bytes as they are sent, with further headers. */
    CompletableFuture<HttpResponse<byte[]>> fetch(URI address, Map<String, String> headers) {
        HttpRequest.Builder request = request(address);
        headers.forEach(request::header);
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    public String page(URI address) throws Exception {
        return client.send(request(address).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Sends a form. */
    public HttpResponse<String> post(URI address, String form) throws Exception {
        return client.send(
                request(address)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /**
     * Sends a form with this method and returns the status; an answer without an end is cut off. Uses a new connection each
     * time, because servers close connections after unusual requests.
     */
    public int status(String method, URI address, String form) throws IOException {
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
