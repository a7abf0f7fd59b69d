// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.hooks.weaving.WeavingHook;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Starts and stops the recorder. The framework property {@code chaos.folder} names the folder of all recordings,
 * {@code chaos.clock.rate} the rate of the monotonic clock that discovery reads here, {@code chaos.settings} the settings to
 * repeat in the recording. A file {@code <instance>.control} in the folder makes the listener slow, a file
 * {@code <process>.commands} has commands for the process.
 */
public final class RecorderActivator implements BundleActivator {

    private static final long SAMPLE_MILLIS = 5;
    private static final long WRITE_MILLIS = 20;
    private static final long WATCH_MILLIS = 20;

    private final List<ScheduledExecutorService> threads = new ArrayList<>();
    private final List<ServiceTracker<?, ?>> trackers = new ArrayList<>();
    private ServiceRegistration<TopologyEventListener> registration;
    private RecordingListener listener;
    private RecordingFile file;
    private GuardedStore store;
    private Slowness slowness;
    private String process;

    /** Called by the framework. */
    public RecorderActivator() {}

    @Override
    public void start(BundleContext context) throws IOException {
        SkewedClock.runAt(Double.parseDouble(property(context, "chaos.clock.rate", "1")));
        context.registerService(WeavingHook.class, new ClockWeaver(), new Hashtable<>());
        Path folder = Path.of(context.getProperty("chaos.folder"));
        String instance = context.getProperty("org.apache.sling.discovery.instanceId");
        process = context.getProperty("chaos.process");
        file = new RecordingFile(folder.resolve(process + ".tsv"));
        file.line("process", System.nanoTime(), instance);
        store = new GuardedStore(folder);
        slowness = new Slowness(folder.resolve(instance + ".control"));
        Property property = new Property(context, process);
        LeaderSampler sampler = new LeaderSampler(track(context, DiscoveryService.class), file);
        listener = new RecordingListener(0, file, event -> act(event, sampler));
        listener.begin();
        registration = context.registerService(TopologyEventListener.class, listener, new Hashtable<>());
        StateWatch watch =
                new StateWatch(track(context, Reporter.class), file, property(context, "chaos.settings", "unknown"));
        Commands commands = new Commands(
                folder.resolve(process + ".commands"),
                file,
                track(context, Operator.class),
                new Churn(context, file),
                property);
        repeat(SAMPLE_MILLIS, sampler::sample);
        repeat(WRITE_MILLIS, () -> write(sampler.lastToken()));
        repeat(WATCH_MILLIS, watch::look);
        repeat(WATCH_MILLIS, commands::run);
    }

    private static String property(BundleContext context, String name, String otherwise) {
        String value = context.getProperty(name);
        return value == null ? otherwise : value;
    }

    private <T> ServiceTracker<T, T> track(BundleContext context, Class<T> type) {
        ServiceTracker<T, T> tracker = new ServiceTracker<>(context, type, null);
        tracker.open();
        trackers.add(tracker);
        return tracker;
    }

    private void repeat(long millis, Step step) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        threads.add(thread);
        thread.scheduleWithFixedDelay(() -> report(step), 0, millis, TimeUnit.MILLISECONDS);
    }

    /** The action of the listener: a new leader asks at once whether it leads; CHANGING takes as long as set. */
    private void act(TopologyEvent event, LeaderSampler sampler) {
        if (event.getNewView() != null) {
            sampler.ask(event.getNewView());
        }
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
            slowness.takeTime();
        }
    }

    /** Writes with the token of the last leadership, even if it is over: the store decides. */
    private void write(long token) throws IOException {
        if (token != 0) {
            long before = System.nanoTime();
            GuardedStore.Result result = store.write(process, token);
            if (result != GuardedStore.Result.BUSY) {
                file.line("write", before, System.nanoTime(), token, result == GuardedStore.Result.ACCEPTED);
            }
        }
    }

    private void report(Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            // A scheduled task that throws is not run again; this line makes the check of the recording fail.
            file.line("failure", System.nanoTime(), e.toString().replaceAll("\\s+", " "));
        }
    }

    @Override
    public void stop(BundleContext context) throws IOException, InterruptedException {
        slowness.release();
        listener.remove(registration);
        for (ScheduledExecutorService each : threads) {
            each.shutdown();
            each.awaitTermination(1, TimeUnit.SECONDS);
        }
        file.line("stopped", System.nanoTime());
        store.close();
        trackers.forEach(ServiceTracker::close);
    }

    /** An action that may fail. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }
}
