// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.spi.DeadlineSocket;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Asks servers by four-letter words. Each server logs a line for each request, so nothing asks all the time.
 *
 * @param servers the list
 * @param ask returns the answer of an entry
 */
@ThreadsAndClocks
record Members(Servers servers, Function<Entry, Answer> ask) {
    private static final int LIMIT_MILLIS = 1_000;
    private static final int MAX_BYTES = 65_536;

    Members(Servers servers) {
        this(servers, Members::ask);
    }

    /** Returns the answers of all entries but one, by id; 0 for no exception. */
    Map<Integer, Answer> answers(int exception) {
        return servers.entries().stream()
                .filter(each -> each.id() != exception)
                .collect(Collectors.toMap(Entry::id, ask));
    }

    Answer answer(Entry entry) {
        return ask.apply(entry);
    }

    private static Answer ask(Entry entry) {
        try {
            String srvr = request(entry, "srvr");
            Answer answer = Answer.read(srvr, "");
            return answer.serves() ? Answer.read(srvr, request(entry, "conf")) : answer;
        } catch (IOException e) {
            return Answer.SILENT;
        }
    }

    /** Returns the reply, which is empty if it does not come in time; fails if no process has the port. */
    private static String request(Entry entry, String word) throws IOException {
        LongSupplier clock = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        try (Socket socket = new DeadlineSocket(LIMIT_MILLIS, clock)) {
            socket.connect(new InetSocketAddress(entry.host(), entry.client()));
            return reply(socket, word);
        }
    }

    private static String reply(Socket socket, String word) {
        try {
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
