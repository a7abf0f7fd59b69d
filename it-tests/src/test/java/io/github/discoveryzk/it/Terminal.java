// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;

/** A session with the shell of a container. */
final class Terminal implements AutoCloseable {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final CommandSession session;

    Terminal(Container container) {
        session = container.<CommandProcessor, CommandSession>ask(
                CommandProcessor.class,
                processor -> processor.createSession(
                        InputStream.nullInputStream(), printed, OutputStream.nullOutputStream()));
    }

    /** Runs a line and returns its output, with the result that a shell prints after it if there is one. */
    String run(String line) {
        printed.reset();
        try {
            Object result = session.execute(line);
            return printed.toString(StandardCharsets.UTF_8) + Objects.requireNonNullElse(result, "");
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    /** Runs a line that fails and returns its output with the message of the failure. */
    String fail(String line) {
        printed.reset();
        try {
            session.execute(line);
        } catch (Exception e) {
            return printed.toString(StandardCharsets.UTF_8) + e.getMessage();
        }
        throw new AssertionError(line + " has not failed: " + printed.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        session.close();
    }
}
