// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fault;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs tests with the classes of another loader. */
final class FaultRun {

    /** Read by the classes of tests when they are loaded. */
    private static final String LIMIT = "discovery.test.limit.seconds";

    private static int limited;
    private static String before;

    private FaultRun() {}

    /** Runs a test class, or with {@code class#method} the tests of its methods with that name, and returns the first failure. */
    static Optional<String> failureOf(String test, ClassLoader loader) {
        return within(loader, () -> {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectors(test, loader))
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                    .build();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            // The listeners of the build's own run would count these tests as tests of the build.
            LauncherConfig alone = LauncherConfig.builder()
                    .enableTestExecutionListenerAutoRegistration(false)
                    .enableLauncherSessionListenerAutoRegistration(false)
                    .enableLauncherDiscoveryListenerAutoRegistration(false)
                    .build();
            LauncherFactory.create(alone).execute(request, listener);
            return first(test, listener.getSummary());
        });
    }

    private static List<DiscoverySelector> selectors(String test, ClassLoader loader) {
        int end = test.indexOf('#');
        if (end < 0) {
            return List.of(DiscoverySelectors.selectClass(load(test, loader)));
        }
        Class<?> type = load(test.substring(0, end), loader);
        String name = test.substring(end + 1);
        // A test may be inherited from a contract.
        return Stream.concat(Stream.of(type.getDeclaredMethods()), Stream.of(type.getMethods()))
                .distinct()
                .filter(method -> method.getName().equals(name))
                .map(method -> DiscoverySelectors.selectMethod(type, method))
                .collect(Collectors.toList());
    }

    /**
     * Runs an action with a shorter limit for waiting: with a fault, tests wait for what does not happen. The limit before is set again
     * when the last of several actions side by side has ended.
     */
    static <T> T withShortLimit(Supplier<T> action) {
        synchronized (FaultRun.class) {
            if (limited++ == 0) {
                before = System.getProperty(LIMIT, "");
                System.setProperty(LIMIT, "5");
            }
        }
        try {
            return action.get();
        } finally {
            synchronized (FaultRun.class) {
                if (--limited == 0) {
                    restoreLimit();
                }
            }
        }
    }

    private static void restoreLimit() {
        if (before.isEmpty()) {
            System.clearProperty(LIMIT);
        } else {
            System.setProperty(LIMIT, before);
        }
    }

    private static Optional<String> first(String test, TestExecutionSummary summary) {
        if (summary.getTestsFoundCount() == 0) {
            throw new IllegalStateException(test + " has no tests");
        }
        return summary.getFailures().stream()
                .findFirst()
                .map(failure -> failure.getTestIdentifier().getDisplayName() + ": " + failure.getException());
    }

    /** Plays histories until a law breaks and returns the seed and the law. */
    @SuppressWarnings("unchecked")
    static Optional<String> lawBroken(String player, LongStream seeds, ClassLoader loader) {
        return within(loader, () -> {
            LongFunction<String> play = (LongFunction<String>) newInstance(load(player, loader));
            return seeds.boxed()
                    .map(seed -> Map.entry(seed, play.apply(seed)))
                    .filter(played -> !played.getValue().isEmpty())
                    .map(played -> "seed " + played.getKey() + ": " + played.getValue())
                    .findFirst();
        });
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object newInstance(Class<?> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T within(ClassLoader loader, Supplier<T> action) {
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            return action.get();
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }
}
