// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.sling.discovery.webconsole.exchange.Handler;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.resource.Namespace;
import org.osgi.util.tracker.BundleTracker;
import org.osgi.util.tracker.BundleTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the page to the active web console, with the servlets of its line, and withdraws it when no console is active.
 * The bundles of consoles and servlets may come and go in any order. May be used from any thread, and holds no lock while
 * the container reacts.
 */
final class Consoles implements BundleTrackerCustomizer<Set<String>> {
    private static final Logger LOG = LoggerFactory.getLogger(Consoles.class);

    /** The package by which a console is recognized: some containers have one of another symbolic name. */
    private static final String CONSOLE = "org.apache.felix.webconsole";

    private static final Runnable NOTHING = () -> {};

    private static final Pattern PACKAGE =
            Pattern.compile("\\(" + Pattern.quote(PackageNamespace.PACKAGE_NAMESPACE) + "=([^)*]+)\\)");

    private final BundleContext bundle;
    private final Handler handler;
    private final BundleTracker<Set<String>> tracker;

    /** The packages that each active console cannot do without. */
    private final Map<Bundle, Set<String>> consoles = new ConcurrentHashMap<>();

    /** The number of changes that are not yet considered. The thread that makes it 1 considers them all. */
    private final AtomicInteger changes = new AtomicInteger();

    private volatile boolean open;
    private volatile boolean absenceLogged;

    /** Used only by the thread that considers the changes. */
    private ServletLine line = ServletLine.NONE;

    private Runnable withdrawal = NOTHING;
    private boolean presenceLogged;

    Consoles(BundleContext bundle, Handler handler) {
        this.bundle = bundle;
        this.handler = handler;
        this.tracker = new BundleTracker<>(bundle, Bundle.ACTIVE, this);
    }

    /** Offers the page to the console that is active, now or later. */
    void open() {
        open = true;
        tracker.open();
        consider();
    }

    /** Withdraws the page. */
    void close() {
        open = false;
        tracker.close();
        consider();
    }

    /** Logs once if no console shows the page. */
    void logAbsence() {
        if (open && !absenceLogged && chooseLine() == ServletLine.NONE) {
            absenceLogged = true;
            LOG.info(
                    "No web console is active, so there is no topology page. Shell commands and inventory work without it."
                            + " For the page install Apache Felix Web Console 4 with HTTP service 4 (javax servlets),"
                            + " or Web Console 5 with HTTP service 5 or later (jakarta servlets).");
        }
    }

    @Override
    public Set<String> addingBundle(Bundle candidate, BundleEvent event) {
        BundleRevision revision = candidate.adapt(BundleRevision.class);
        if (revision == null || !isConsole(revision)) {
            return null;
        }
        Set<String> required = requiredPackages(revision);
        consoles.put(candidate, required);
        consider();
        return required;
    }

    @Override
    public void modifiedBundle(Bundle console, BundleEvent event, Set<String> required) {
        // An update stops the bundle first.
    }

    @Override
    public void removedBundle(Bundle console, BundleEvent event, Set<String> required) {
        consoles.remove(console);
        consider();
    }

    private static boolean isConsole(BundleRevision revision) {
        return revision.getDeclaredCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream()
                .anyMatch(each -> CONSOLE.equals(each.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)));
    }

    private static Set<String> requiredPackages(BundleRevision revision) {
        return revision.getDeclaredRequirements(PackageNamespace.PACKAGE_NAMESPACE).stream()
                .filter(each -> !each.getDirectives().containsKey(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE)
                        || each.getDirectives()
                                .get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE)
                                .equals(Namespace.RESOLUTION_MANDATORY))
                .map(Consoles::packageName)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String packageName(BundleRequirement requirement) {
        Matcher name = PACKAGE.matcher(
                String.valueOf(requirement.getDirectives().get(Namespace.REQUIREMENT_FILTER_DIRECTIVE)));
        return name.find() ? name.group(1) : "";
    }

    /** Adapts the services to the consoles that are active now. */
    private void consider() {
        if (changes.getAndIncrement() > 0) {
            return;
        }
        int considered;
        do {
            considered = changes.get();
            change(open ? chooseLine() : ServletLine.NONE);
        } while (changes.addAndGet(-considered) > 0);
    }

    private ServletLine chooseLine() {
        Set<String> required = consoles.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        return ServletLine.choose(required, Consoles::canLoad);
    }

    private static boolean canLoad(String className) {
        try {
            Class.forName(className, false, Consoles.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private Runnable register(ServletLine next) {
        return switch (next) {
            case JAKARTA -> org.apache.sling.discovery.webconsole.jakarta.ConsolePlugin.register(bundle, handler);
            case JAVAX -> org.apache.sling.discovery.webconsole.javax.ConsolePlugin.register(bundle, handler);
            case NONE -> NOTHING;
        };
    }

    private void change(ServletLine next) {
        if (next == line) {
            return;
        }
        withdrawal.run();
        withdrawal = NOTHING;
        line = ServletLine.NONE;
        try {
            withdrawal = register(next);
            line = next;
        } catch (IllegalStateException | LinkageError e) {
            // This bundle is stopping, or its servlets are not those of the version that they declare.
            LOG.warn("The web console cannot show the topology page: {}", e.toString());
            return;
        }
        if (absenceLogged && !presenceLogged && next != ServletLine.NONE) {
            presenceLogged = true;
            LOG.info("A web console shows the topology page now.");
        }
    }
}
