// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A system without sockets: no port can be opened. Each group of the JDK has a thread that waits for sockets in native code, for which Fray,
 * which lets one thread run at a time, would wait for ever.
 */
public final class NoSockets extends AsynchronousChannelProvider {

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize) {
        return new AsynchronousChannelGroup(this) {
            @Override
            public boolean isShutdown() {
                return executor.isShutdown();
            }

            @Override
            public boolean isTerminated() {
                return executor.isTerminated();
            }

            @Override
            public void shutdown() {
                executor.shutdown();
            }

            @Override
            public void shutdownNow() {
                executor.shutdown();
            }

            @Override
            public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
                return executor.awaitTermination(timeout, unit);
            }
        };
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory made) throws IOException {
        throw new IOException("no sockets");
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup in)
            throws IOException {
        throw new IOException("no sockets");
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup in) throws IOException {
        throw new IOException("no sockets");
    }
}
