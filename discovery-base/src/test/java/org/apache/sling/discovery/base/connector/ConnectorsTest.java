// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.sling.discovery.base.connector.client.PeerExchanges;
import org.apache.sling.discovery.base.connector.client.Transport;
import org.apache.sling.discovery.base.connector.wire.Message;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.testing.time.VirtualProcess;
import org.apache.sling.discovery.testing.time.VirtualTime;
import org.junit.jupiter.api.Test;

class ConnectorsTest {

    private final VirtualTime time = new VirtualTime();
    private final VirtualProcess process = new VirtualProcess(time, 0, 1);
    private final AtomicBoolean ended = new AtomicBoolean();

    /** A timer that fails when a connector sets the limit of its end. */
    private ScheduledExecutorService brokenTimer() {
        ScheduledExecutorService timer = process.executor(() -> 0);
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("schedule") && arguments[1].equals(Transport.DISCONNECT_MILLIS)) {
                        throw new IllegalStateException("broken");
                    }
                    try {
                        return method.invoke(timer, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aConnectorThatCannotEndDoesNotKeepTheOthersFromEnding() {
        ConnectorSettings plain = ConnectorSettings.DEFAULT;
        Connectors connectors = new Connectors(
                "a1",
                "host",
                new ConnectorSettings(
                        List.of(List.of(URI.create("http://127.0.0.1:1/connector"))),
                        plain.allowed(),
                        Optional.empty(),
                        plain.timing(),
                        plain.transfer(),
                        false),
                shared -> {},
                () -> null,
                new Time(process::clock, time::now),
                new Transport(brokenTimer(), new Peers(), () -> ended.set(true)));
        connectors.begin(added -> {});
        time.run(100);
        CompletableFuture<Void> end = connectors.end();
        time.run(Connectors.END_LIMIT_MILLIS - 1);
        assertThat(end).isNotDone();
        time.run(1);
        assertThat(end).isCompleted();
        assertThat(ended).isTrue();
    }

    private static final class Peers implements PeerExchanges {
        @Override
        public CompletableFuture<Result> ping(URI url, Message message) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Result> disconnect(URI url) {
            return new CompletableFuture<>();
        }
    }
}
