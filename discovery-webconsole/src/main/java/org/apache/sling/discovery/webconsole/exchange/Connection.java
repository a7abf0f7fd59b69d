// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.IOException;

/** The connection of a response that stays open. No call blocks. */
public interface Connection {

    /** Starts to write: the listener is called when the container accepts content, and when the connection ends. */
    void start(Listener listener);

    /** Returns whether content can be written now. Otherwise {@link Listener#writable} is called when it can. */
    boolean isReady();

    /** Writes content, only when the connection is ready. */
    void write(byte[] content) throws IOException;

    /** Sends what has been written, only when the connection is ready. */
    void flush() throws IOException;

    /** Ends the response. */
    void complete();

    /** Receives the events of a connection. */
    interface Listener {
        void writable();

        /** The response has ended. */
        void completed();

        /** The connection is lost. */
        void failed();
    }
}
