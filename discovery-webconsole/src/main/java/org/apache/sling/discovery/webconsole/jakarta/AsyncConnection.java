// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.apache.sling.discovery.webconsole.exchange.Connection;

/** The connection of an asynchronous request. */
record AsyncConnection(AsyncContext async, ServletOutputStream out) implements Connection {

    @Override
    public void start(Listener listener) {
        Events events = new Events(listener);
        async.addListener(events);
        out.setWriteListener(events);
    }

    @Override
    public boolean isReady() {
        return out.isReady();
    }

    @Override
    public void write(byte[] content) throws IOException {
        out.write(content);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void complete() {
        async.complete();
    }

    private record Events(Listener listener) implements AsyncListener, WriteListener {

        @Override
        public void onWritePossible() {
            listener.writable();
        }

        @Override
        public void onError(Throwable failure) {
            listener.failed();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            listener.completed();
        }

        @Override
        public void onError(AsyncEvent event) {
            listener.failed();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            listener.failed();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // The request is never started again.
        }
    }
}
