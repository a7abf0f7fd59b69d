// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.slf4j.LoggerFactory;

/**
 * Logs lines of the sample bundle and other lines, and prints to standard output; counts its starts in its data area. Runs in a
 * container.
 */
public final class EventLogger implements BundleActivator {

    @Override
    public void start(BundleContext context) throws IOException {
        Path starts = context.getDataFile("starts").toPath();
        Files.writeString(starts, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        LoggerFactory.getLogger("io.github.discoveryzk.sample").info("start {}", Files.size(starts));
        LoggerFactory.getLogger("io.github.discoveryzk.sample").info("an event\nof {}", "größe");
        LoggerFactory.getLogger("org.example").info("something else");
        System.out.println("printed " + context.getProperty("example.property"));
    }

    @Override
    public void stop(BundleContext context) {
        LoggerFactory.getLogger("io.github.discoveryzk.sample").info("goodbye");
    }
}
