// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The command: starts a cluster, shows its addresses and the events of its listeners, and stops it on request.
 *
 * <p>Progress and events go to standard output, one line each. A failed start is one line on standard error, and an exit code
 * other than 0.
 */
@ThreadsAndClocks
public final class Launcher {

    private static final int WRONG_OPTION = 2;
    private static final int FAILED = 1;

    private Launcher() {}

    /**
     * Runs the command and ends the process.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        LocalCluster cluster = new LocalCluster(System.out);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "launcher-stop"));
        System.exit(run(cluster, arguments));
    }

    /** Returns the exit code when no instance or server is left, or when the start failed. */
    private static int run(LocalCluster cluster, String... arguments) {
        LauncherOptions options = new LauncherOptions();
        try {
            ParseResult parsed = new CommandLine(options).parseArgs(arguments);
            if (CommandLine.executeHelpRequest(parsed) != null) {
                return 0;
            }
            options.check();
            cluster.start(options);
            cluster.follow();
            return FAILED;
        } catch (ParameterException e) {
            return fail(e.getMessage().replaceAll("\\s+", " ") + " (./run --help lists the options)", WRONG_OPTION);
        } catch (LaunchException e) {
            return cluster.isClosed() ? 0 : fail(e.getMessage(), FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private static int fail(String message, int code) {
        System.err.println("run: " + message);
        return code;
    }
}
