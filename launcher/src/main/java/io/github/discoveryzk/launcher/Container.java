// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.startlevel.BundleStartLevel;

/**
 * The main class of a container process: a framework with the bundles of a folder, and further ones.
 *
 * <p>It works in its working directory, reports to its parent process by lines on standard output, and ends when the parent
 * closes its standard input, which the operating system does even for a killed process. For every kind of end, the framework is
 * stopped first, so that the instance leaves its cluster; a stop that takes too long is aborted.
 */
@ThreadsAndClocks
@SuppressWarnings("CatchAndPrintStackTrace") // The launcher keeps the error output in the log of the container.
public final class Container {

    /** Begins a line to be shown to the user. */
    static final String EVENT = "#event# ";

    /** The line that says that all bundles have been started. */
    static final String STARTED = "#started#";

    private static final long STOP_LIMIT_MILLIS = 10_000;
    private static final int STOP_CUT_OFF = 70;
    private static final String OWN = "launcher:";
    private static final String ADDED = "added:";

    private final Framework framework;

    private Container(Framework framework) {
        this.framework = framework;
    }

    /**
     * Runs a container until it is stopped, then ends the process.
     *
     * @param arguments a properties file with the framework properties, the folder with the bundles, and any number of
     *     further bundles
     * @throws Exception if the framework cannot be started
     */
    public static void main(String[] arguments) throws Exception {
        // A machine that comes back may have another address, and its name may appear late. No option of java sets the
        // second.
        Security.setProperty("networkaddress.cache.ttl", "1");
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
        InputStream parent = System.in;
        System.setIn(InputStream.nullInputStream());
        FrameworkFactory factory =
                ServiceLoader.load(FrameworkFactory.class).iterator().next();
        Container container = new Container(factory.newFramework(properties(Path.of(arguments[0]))));
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop, "container-stop"));
        Thread watch = new Thread(() -> exitAtEndOf(parent), "container-parent-watch");
        watch.setDaemon(true);
        watch.start();
        int code = 0;
        try {
            container.start(
                    bundles(Path.of(arguments[1])),
                    Arrays.stream(arguments).skip(2).map(Path::of).toList());
            container.untilStopped();
        } catch (BundleException | IOException e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code);
    }

    private void start(List<Path> own, List<Path> added) throws BundleException, IOException {
        framework.init();
        List<Bundle> bundles = provision(framework.getBundleContext(), own, added);
        framework.start();
        for (Bundle bundle : bundles) {
            startAnyway(bundle);
        }
        System.out.println(STARTED);
    }

    /** Installs and updates the given bundles, removes those of an earlier start, and keeps those that a user installed. */
    private static List<Bundle> provision(BundleContext context, List<Path> own, List<Path> added)
            throws BundleException, IOException {
        Map<String, BundleJar> wanted = new LinkedHashMap<>();
        for (Path file : own) {
            BundleJar jar = BundleJar.read(file);
            // Without the version: the data area of a bundle must outlive an update.
            wanted.put(OWN + jar.symbolicName(), jar);
        }
        for (Path file : added) {
            BundleJar jar = BundleJar.read(file);
            wanted.put(ADDED + jar.symbolicName() + ":" + jar.version(), jar);
        }
        for (Bundle bundle : context.getBundles()) {
            String location = bundle.getLocation();
            if ((location.startsWith(OWN) || location.startsWith(ADDED)) && !wanted.containsKey(location)) {
                bundle.uninstall();
            }
        }
        List<Bundle> bundles = new ArrayList<>();
        for (Map.Entry<String, BundleJar> entry : wanted.entrySet()) {
            Bundle bundle = install(context, entry.getKey(), entry.getValue());
            bundle.adapt(BundleStartLevel.class).setStartLevel(startLevel(bundle.getSymbolicName()));
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start(Bundle.START_ACTIVATION_POLICY);
                bundles.add(bundle);
            }
        }
        return bundles;
    }

    private static Bundle install(BundleContext context, String location, BundleJar jar)
            throws BundleException, IOException {
        Bundle bundle = context.getBundle(location);
        boolean update = bundle != null
                && (!bundle.getVersion().equals(jar.version())
                        || Files.getLastModifiedTime(jar.file()).toMillis() > bundle.getLastModified());
        if (bundle != null && !update) {
            return bundle;
        }
        try (InputStream content = Files.newInputStream(jar.file())) {
            if (bundle == null) {
                return context.installBundle(location, content);
            }
            bundle.update(content);
            return bundle;
        }
    }

    /** A bundle that does not start is reported and does not prevent the others from running. */
    private static void startAnyway(Bundle bundle) {
        if ((bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) == 0) {
            try {
                bundle.start(Bundle.START_ACTIVATION_POLICY);
            } catch (BundleException e) {
                e.printStackTrace();
                System.out.println(EVENT + "bundle " + bundle.getSymbolicName() + " did not start: "
                        + e.getMessage().replaceAll("\\s+", " "));
            }
        }
    }

    /** Returns when the framework has stopped. An update of the system bundle restarts it in place. */
    private void untilStopped() throws BundleException {
        try {
            while (framework.waitForStop(0).getType() == FrameworkEvent.STOPPED_UPDATE) {
                framework.start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stop() {
        try {
            framework.stop();
            if (framework.waitForStop(STOP_LIMIT_MILLIS).getType() == FrameworkEvent.WAIT_TIMEDOUT) {
                System.err.println("the framework did not stop within " + STOP_LIMIT_MILLIS + " ms");
                Runtime.getRuntime().halt(STOP_CUT_OFF);
            }
        } catch (BundleException e) {
            e.printStackTrace();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void exitAtEndOf(InputStream parent) {
        try {
            parent.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            e.printStackTrace();
        }
        System.exit(0);
    }

    private static Map<String, String> properties(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    private static List<Path> bundles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Returns when a bundle is started: logging and its configuration first, discovery and its users last. Stopping uses the reverse
     * order, so that an instance leaves its cluster first.
     */
    private static int startLevel(String symbolicName) {
        if (symbolicName.startsWith("org.ops4j.pax.logging.") || symbolicName.equals("org.apache.felix.configadmin")) {
            return 1;
        }
        // A server in the container says where it is before the back end looks for it.
        boolean early = symbolicName.equals("io.github.discoveryzk.zk.server") || symbolicName.contains("commons-io");
        // As long as it finds no check it answers that all is well, so it comes after those that register one.
        boolean late = symbolicName.equals("org.apache.felix.healthcheck.core");
        return early || (symbolicName.startsWith("org.") && !late) ? 2 : 3;
    }
}
