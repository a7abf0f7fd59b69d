// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.sling.discovery.DiscoveryService;

/**
 * The connections of an instance to its neighbours, and its port. No configuration ends them without a goodbye, as a network does, so this
 * class reaches into private fields.
 */
final class NeighbourLinks {

    private final Object instance;
    private final Object neighbours;

    /** Finds the links of the instance behind the service of a container. */
    NeighbourLinks(DiscoveryService service) {
        this.instance = field(service, "instance");
        this.neighbours = field(instance, "neighbours");
    }

    /** Ends all connections, in both directions. */
    void end() {
        execute(() -> conversations().forEach(NeighbourLinks::close));
    }

    /** Ends all connections, and closes the port. */
    void block() {
        execute(() -> {
            port().ifPresent(NeighbourLinks::close);
            conversations().forEach(NeighbourLinks::close);
        });
    }

    /** Listens at another port. */
    void unblock() {
        try {
            instance.getClass()
                    .getMethod("listenForNeighbours", int.class, Optional.class, boolean.class)
                    .invoke(instance, freePort(), Optional.empty(), false);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** The links are confined to the thread of the connections. */
    private void execute(Runnable task) {
        ((Optional<?>) field(neighbours, "thread"))
                .ifPresent(thread -> ((Executor) field(thread, "executor")).execute(task));
    }

    private Optional<?> port() {
        return (Optional<?>) field(neighbours, "listening");
    }

    private List<Object> conversations() {
        List<Object> all = new ArrayList<>();
        ((Collection<?>) field(neighbours, "watches"))
                .forEach(watch -> ((Optional<?>) field(watch, "connection")).ifPresent(all::add));
        port().ifPresent(listening -> all.addAll((Collection<?>) field(listening, "visitors")));
        return all;
    }

    private static void close(Object holder) {
        try {
            ((Closeable) field(holder, "channel")).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object field(Object holder, String name) {
        for (Class<?> type = holder.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(holder);
            } catch (NoSuchFieldException e) {
                continue;
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalStateException(holder.getClass() + " has no field " + name);
    }
}
