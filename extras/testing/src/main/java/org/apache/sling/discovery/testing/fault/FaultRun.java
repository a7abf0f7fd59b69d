// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing.fault;

import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs tests with the classes of another loader. */
final class FaultRun {

    private FaultRun() {}

    /** Runs a test class and returns its first failure. */
    static Optional<String> failureOf(String testClass, ClassLoader loader) {
        return within(loader, () -> {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(load(testClass, loader)))
                    .build();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            // The listeners of the build's own run would count these tests as tests of the build.
            LauncherConfig alone = LauncherConfig.builder()
                    .enableTestExecutionListenerAutoRegistration(false)
                    .enableLauncherSessionListenerAutoRegistration(false)
                    .enableLauncherDiscoveryListenerAutoRegistration(false)
                    .build();
            LauncherFactory.create(alone).execute(request, listener);
            return first(testClass, listener.getSummary());
        });
    }

    private static Optional<String> first(String testClass, TestExecutionSummary summary) {
        if (summary.getTestsFoundCount() == 0) {
            throw new IllegalStateException(testClass + " has no tests");
        }
        return summary.getFailures().stream()
                .findFirst()
                .map(failure -> failure.getTestIdentifier().getDisplayName() + ": " + failure.getException());
    }

    /** Plays histories until a law breaks and returns the seed and the law. */
    @SuppressWarnings("unchecked")
    static Optional<String> lawBroken(String player, long seeds, ClassLoader loader) {
        return within(loader, () -> {
            LongFunction<String> play = (LongFunction<String>) make(load(player, loader));
            for (long seed = 0; seed < seeds; seed++) {
                String law = play.apply(seed);
                if (!law.isEmpty()) {
                    return Optional.of("seed " + seed + ": " + law);
                }
            }
            return Optional.empty();
        });
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object make(Class<?> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T within(ClassLoader loader, Supplier<T> action) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            return action.get();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
