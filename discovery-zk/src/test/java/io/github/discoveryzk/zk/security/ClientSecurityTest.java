// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.security.Security.Secret;
import io.github.discoveryzk.zk.security.Security.Store;
import io.github.discoveryzk.zk.security.Security.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientSecurityTest {
    private static final Store NONE = new Store("", Secret.NONE);
    private static final byte[] RECORD = {22, 3, 3, 64, 0};
    private static final int DROPS = 40;

    /** It would end the handshake by itself after four seconds, which then counts as refused. */
    @Test
    void aServerThatDripsIsOneThatDoesNotAnswer() throws Exception {
        Security security = new Security(Security.NONE.login(), Optional.of(new Tls(NONE, NONE)));
        ClientSecurity client =
                new ClientSecurity(security, "any", () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture.runAsync(() -> drip(port));
            assertThat(client.explain((InetSocketAddress) port.getLocalSocketAddress(), "no answer"))
                    .isEqualTo("no answer");
        }
    }

    private static void drip(ServerSocket port) {
        try (Socket client = port.accept()) {
            client.setSoTimeout(100);
            client.getOutputStream().write(RECORD);
            for (int drop = 0; drop < DROPS; drop++) {
                try {
                    client.getInputStream().readAllBytes();
                } catch (SocketTimeoutException e) {
                    client.getOutputStream().write(0);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
