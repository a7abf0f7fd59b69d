// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/** The requests of a page that stays open: again and again for its content, with the tag of the last one. */
public final class OpenPage {

    private final Visitor visitor;
    private final URI content;
    private final Map<String, String> headers = new HashMap<>();

    /** Creates a page that has not asked yet. */
    public OpenPage(HttpClient client, URI address) {
        visitor = new Visitor(client, true);
        content = URI.create(address + ".content");
    }

    /** Asks once, and returns the status: 200 with another content, 304 without. */
    public int ask() {
        HttpResponse<byte[]> answer = visitor.fetch(content, headers).join();
        answer.headers().firstValue("ETag").ifPresent(tag -> headers.put("If-None-Match", tag));
        return answer.statusCode();
    }
}
