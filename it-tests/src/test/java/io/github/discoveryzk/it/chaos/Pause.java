// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import java.io.IOException;

/**
 * A process that does not run for a while: SIGSTOP, and SIGCONT when it is closed. A separate shell sends the signals and waits
 * in between, so that the process is resumed, and can end, even if this one is killed.
 */
public final class Pause implements AutoCloseable {

    private final Process shell;

    private Pause(Process shell) {
        this.shell = shell;
    }

    /** Pauses a process; it is paused when this returns. */
    public static Pause of(long pid) throws IOException {
        Process shell = new ProcessBuilder(
                        "/bin/sh", "-c", "kill -STOP \"$0\"; echo; read line; kill -CONT \"$0\"", Long.toString(pid))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (shell.getInputStream().read() < 0) {
            throw new IOException("process " + pid + " cannot be stopped");
        }
        return new Pause(shell);
    }

    /** Resumes the process; it runs when this returns. Closing twice does nothing. */
    @Override
    public void close() throws IOException {
        shell.getOutputStream().close();
        try {
            shell.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
