// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts classes of this program in processes of their own. */
final class JavaProcess {
    private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

    private JavaProcess() {}

    /** Returns a process with the class path of this one. Its standard input tells it whether this process lives. */
    static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-Xss256k",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.org.apache.sling.discovery=info",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        STARTED.add(process);
        process.onExit().thenAccept(STARTED::remove);
        return process;
    }

    /** Ends all processes that still run. */
    static void endAll() {
        List<Process> running = List.copyOf(STARTED);
        running.forEach(Process::destroyForcibly);
        running.forEach(process -> process.onExit().join());
    }
}
