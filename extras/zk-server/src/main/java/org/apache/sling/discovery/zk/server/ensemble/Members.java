// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.ensemble;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Asks servers by four-letter words. Each server logs a line for each request, so nothing asks all the time.
 *
 * @param servers the list
 * @param ask returns the answer of an entry
 */
record Members(Servers servers, Function<Entry, Answer> ask) {
    private static final int LIMIT_MILLIS = 1_000;
    private static final int MAX_BYTES = 65_536;

    Members(Servers servers) {
        this(servers, Members::ask);
    }

    /** Returns the answers of all entries, by id. */
    Map<Integer, Answer> answers() {
        Map<Integer, Answer> all = new TreeMap<>();
        servers.entries().forEach(each -> all.put(each.id(), ask.apply(each)));
        return all;
    }

    /** Returns the answers of all entries but one, by id. */
    Map<Integer, Answer> others(int id) {
        Map<Integer, Answer> all = new TreeMap<>();
        servers.entries().stream().filter(each -> each.id() != id).forEach(each -> all.put(each.id(), ask.apply(each)));
        return all;
    }

    Answer answer(int id) {
        return ask.apply(servers.entry(id));
    }

    private static Answer ask(Entry entry) {
        try {
            Answer answer = Answer.read(request(entry, "srvr"), "");
            return answer.serves() ? Answer.read(request(entry, "srvr"), request(entry, "conf")) : answer;
        } catch (IOException e) {
            return Answer.SILENT;
        }
    }

    private static String request(Entry entry, String word) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(entry.host(), entry.client()), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
    }
}
