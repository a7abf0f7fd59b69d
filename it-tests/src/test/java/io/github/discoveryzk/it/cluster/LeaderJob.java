// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Map;
import org.ops4j.pax.tinybundles.TinyBundles;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.slf4j.LoggerFactory;

/** A bundle with a job which Sling's scheduler runs each second on the leader only. */
public final class LeaderJob implements BundleActivator, Runnable {

    /** The line that a container shows for each run. */
    static final String RAN = "the job of the leader ran";

    /** Makes the bundle. */
    static Path bundle(Path file) throws IOException {
        try (InputStream bundle = TinyBundles.bundle()
                .symbolicName("leader-job")
                .activator(LeaderJob.class)
                .addClass(LeaderJob.class)
                .setHeader("Import-Package", "org.osgi.framework,org.slf4j")
                .build(TinyBundles.rawBuilder())) {
            Files.copy(bundle, file);
        }
        return file;
    }

    @Override
    public void start(BundleContext context) {
        context.registerService(
                Runnable.class, this, new Hashtable<>(Map.of("scheduler.period", 1L, "scheduler.runOn", "LEADER")));
    }

    @Override
    public void stop(BundleContext context) {}

    @Override
    public void run() {
        LoggerFactory.getLogger("io.github.discoveryzk.sample").info(RAN);
    }
}
