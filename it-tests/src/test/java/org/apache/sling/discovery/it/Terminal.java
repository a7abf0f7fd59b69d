// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import java.io.InputStream;
import java.io.OutputStream;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;

/** A session with the shell of a container. */
final class Terminal implements AutoCloseable {

    private final CommandSession session;

    Terminal(Container container) {
        session = container.<CommandProcessor, CommandSession>ask(
                CommandProcessor.class,
                processor -> processor.createSession(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream()));
    }

    /** Runs a line and returns its output. */
    String run(String line) {
        try {
            return String.valueOf(session.execute(line));
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
