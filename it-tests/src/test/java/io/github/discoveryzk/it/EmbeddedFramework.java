// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import io.github.discoveryzk.it.outside.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.felix.framework.FrameworkFactory;
import org.ops4j.pax.exam.ExamSystem;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.options.FrameworkPropertyOption;
import org.ops4j.pax.exam.options.ProvisionOption;
import org.ops4j.pax.exam.spi.PaxExamRuntime;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.FrameworkWiring;

/** A framework in this process, made of the options of the other containers; the test is outside, so each bundle may be refreshed. */
final class EmbeddedFramework {

    private final Framework framework;

    /** Starts the bundles of the options that are files. */
    EmbeddedFramework(Class<?> test, Option... options) throws BundleException, IOException {
        ExamSystem system = PaxExamRuntime.createTestSystem(options);
        Map<String, String> properties = new HashMap<>();
        properties.put(
                Constants.FRAMEWORK_STORAGE, Setup.directory(test, "storage").toString());
        for (FrameworkPropertyOption property : system.getOptions(FrameworkPropertyOption.class)) {
            properties.put(property.getKey(), String.valueOf(property.getValue()));
        }
        framework = new FrameworkFactory().newFramework(properties);
        framework.start();
        List<Bundle> bundles = new ArrayList<>();
        for (ProvisionOption<?> option : system.getOptions(ProvisionOption.class)) {
            if (option.getURL().startsWith("file:")) {
                bundles.add(context().installBundle(option.getURL()));
            }
        }
        for (Bundle bundle : bundles) {
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        }
        system.clear();
    }

    BundleContext context() {
        return framework.getBundleContext();
    }

    Bundle start(String location, InputStream jar) throws BundleException {
        Bundle bundle = context().installBundle(location, jar);
        bundle.start();
        return bundle;
    }

    /** Refreshes a bundle with those that depend on it, and waits for the end. */
    void refresh(Bundle bundle) {
        CompletableFuture<Void> refreshed = new CompletableFuture<>();
        framework.adapt(FrameworkWiring.class).refreshBundles(List.of(bundle), event -> refreshed.complete(null));
        refreshed.orTimeout(Limit.millis(), TimeUnit.MILLISECONDS).join();
    }

    void stop() throws BundleException, InterruptedException {
        framework.stop();
        framework.waitForStop(Limit.millis());
    }
}
