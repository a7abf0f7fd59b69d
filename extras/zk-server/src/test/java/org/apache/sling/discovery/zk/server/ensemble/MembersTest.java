// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.apache.sling.discovery.zk.server.ensemble.Answer.Kind;
import org.junit.jupiter.api.Test;

class MembersTest {
    private static Entry free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return entry(socket.getLocalPort());
        }
    }

    private static Entry entry(int port) {
        return Entry.parse(1, "127.0.0.1:" + port + ":1:2");
    }

    private static Kind ask(Entry entry) {
        return new Members(new Servers(List.of(entry))).answer(entry).kind();
    }

    @Test
    void aWaitingServerSaysWhatItWaitsFor() throws Exception {
        Entry entry = free();
        try (Placeholder placeholder = new Placeholder(entry, Kind.EMPTY)) {
            assertThat(ask(entry)).isEqualTo(Kind.EMPTY);
            placeholder.change(Kind.FORMING);
            assertThat(ask(entry)).isEqualTo(Kind.FORMING);
        }
        assertThat(ask(entry)).isEqualTo(Kind.SILENT);
    }

    @Test
    void aProcessThatDoesNotReplyMayBeAServer() throws Exception {
        try (ServerSocket paused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ask(entry(paused.getLocalPort()))).isEqualTo(Kind.MUTE);
        }
    }
}
