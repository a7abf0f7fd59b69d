// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Starts and stops the recorder. The framework property {@code chaos.folder} names the folder of all recordings; a file {@code
 * <instance>.control} there makes the listener slow.
 */
public final class RecorderActivator implements BundleActivator {

    private static final long SAMPLE_MILLIS = 5;
    private static final long WRITE_MILLIS = 20;

    private final ScheduledExecutorService sampling = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledExecutorService writing = Executors.newSingleThreadScheduledExecutor();
    private ServiceTracker<DiscoveryService, DiscoveryService> discovery;
    private ServiceRegistration<TopologyEventListener> listener;
    private RecordingFile file;
    private GuardedStore store;
    private Slowness slowness;
    private String process;

    /** Called by the framework. */
    public RecorderActivator() {}

    @Override
    public void start(BundleContext context) throws IOException {
        Path folder = Path.of(context.getProperty("chaos.folder"));
        String instance = context.getProperty("org.apache.sling.discovery.instanceId");
        process = instance + "-" + ProcessHandle.current().pid();
        file = new RecordingFile(folder.resolve(process + ".tsv"));
        file.line("process", System.nanoTime(), instance);
        store = new GuardedStore(folder);
        discovery = new ServiceTracker<>(context, DiscoveryService.class, null);
        discovery.open();
        slowness = new Slowness(folder.resolve(instance + ".control"));
        PropertyProvider provider = name -> process;
        Dictionary<String, Object> names = new Hashtable<>();
        names.put(PropertyProvider.PROPERTY_PROPERTIES, RecordingListener.PROCESS);
        context.registerService(PropertyProvider.class, provider, names);
        listener = context.registerService(
                TopologyEventListener.class, new RecordingListener(1, file, slowness), new Hashtable<>());
        LeaderSampler sampler = new LeaderSampler(discovery, file);
        sampling.scheduleWithFixedDelay(() -> report(sampler::sample), 0, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
        writing.scheduleWithFixedDelay(
                () -> report(() -> write(sampler.lastToken())), 0, WRITE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Writes with the token of the last leadership, whether it lasts or not: the store has to tell. */
    private void write(long token) throws IOException {
        if (token != 0) {
            long before = System.nanoTime();
            GuardedStore.Result result = store.write(process, token);
            if (result != GuardedStore.Result.BUSY) {
                file.line("write", before, System.nanoTime(), token, result);
            }
        }
    }

    private void report(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            // A scheduled task that throws is not run again; the reader of the recording objects to this line.
            file.line("failure", System.nanoTime(), e.toString().replaceAll("\\s+", " "));
        }
    }

    @Override
    public void stop(BundleContext context) throws IOException, InterruptedException {
        slowness.release();
        listener.unregister();
        file.line("removed", System.nanoTime(), 1);
        for (ScheduledExecutorService each : new ScheduledExecutorService[] {sampling, writing}) {
            each.shutdown();
            each.awaitTermination(1, TimeUnit.SECONDS);
        }
        file.line("stopped", System.nanoTime());
        store.close();
        discovery.close();
    }

    /** Something that can go wrong. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
