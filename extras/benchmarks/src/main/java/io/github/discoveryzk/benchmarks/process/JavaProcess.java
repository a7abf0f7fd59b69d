// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.process;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prepares processes for classes of this program, which end when their standard input does, so that none is left behind. */
final class JavaProcess {

    private JavaProcess() {}

    /** Returns a process with the class path of this one, or, if a build is named, with the jars of that and classes of this program. */
    static ProcessBuilder of(String build, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-Xss256k",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.io.github.discoveryzk=info",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-cp",
                classPath(build),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static String classPath(String build) {
        if (build.isEmpty()) {
            return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        }
        URL own = JavaProcess.class.getProtectionDomain().getCodeSource().getLocation();
        return Path.of(URI.create(own.toString())) + File.pathSeparator + build;
    }
}
