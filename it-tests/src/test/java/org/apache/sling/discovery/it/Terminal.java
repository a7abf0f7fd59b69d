// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;

/** A session with the shell of a container. */
final class Terminal implements AutoCloseable {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CommandSession session;

    Terminal(Container container) {
        session = container.<CommandProcessor, CommandSession>ask(
                CommandProcessor.class,
                processor -> processor.createSession(new ByteArrayInputStream(new byte[0]), out, out));
    }

    /** Returns what a line results in. */
    String run(String line) {
        try {
            return String.valueOf(session.execute(line));
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    /** Returns what a line prints. */
    String printed(String line) {
        out.reset();
        run(line);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        session.close();
    }
}
