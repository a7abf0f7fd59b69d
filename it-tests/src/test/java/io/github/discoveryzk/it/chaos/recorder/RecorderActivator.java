// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.it.chaos.recorder.Entry.Entered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Failure;
import io.github.discoveryzk.it.chaos.recorder.Entry.Started;
import io.github.discoveryzk.it.chaos.recorder.Entry.Write;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.spi.LocalInstance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.TopologyEvent;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Starts and stops the recorder. Framework properties: {@code chaos.folder} names the folder of all recordings,
 * {@code chaos.process} the process, {@code chaos.session} and {@code chaos.settle} the timeouts to repeat in the recording,
 * {@code chaos.balance} the delay of moves for a balance.
 */
public final class RecorderActivator implements BundleActivator {

    private static final long SAMPLE_MILLIS = 5;
    private static final long PERIOD_MILLIS = 20;

    private final List<ScheduledExecutorService> threads = new ArrayList<>();
    private final List<ServiceTracker<?, ?>> trackers = new ArrayList<>();
    private BundleContext context;
    private String process;
    private RecordingFile file;
    private GuardedStore store;
    private Commands commands;
    private DataRecorder data;
    private volatile WorkRecorder work;
    private Runnable removal;
    private Object lastState;

    /** Called by the framework. */
    public RecorderActivator() {}

    @Override
    public void start(BundleContext started) throws IOException {
        context = started;
        process = context.getProperty(RecordingListener.PROCESS);
        Path folder = Path.of(context.getProperty("chaos.folder"));
        file = new RecordingFile(folder.resolve(process + ".log"));
        store = new GuardedStore(folder);
        ServiceTracker<DiscoveryService, DiscoveryService> services = track(DiscoveryService.class.getName());
        ServiceTracker<Reporter, Reporter> reporters = track(Reporter.class.getName());
        commands = new Commands(context, folder, file, track(Operator.class.getName()), services, reporters);
        LeaderSampler sampler = new LeaderSampler(process, services, file);
        removal = new RecordingListener(0, context, file, event -> act(event, sampler)).register();
        ServiceTracker<Object, Object> shared = track("io.github.discoveryzk.data.SharedData");
        repeat(SAMPLE_MILLIS, sampler::sample);
        repeat(PERIOD_MILLIS, () -> write(sampler.lastToken()));
        repeat(PERIOD_MILLIS, () -> watch(reporters.getService()));
        repeat(SAMPLE_MILLIS, () -> share(shared.getService(), services.getService()));
        ServiceTracker<Object, Object> instances = track("io.github.discoveryzk.spi.LocalInstance");
        ServiceTracker<Object, Object> works = track("io.github.discoveryzk.work.WorkView");
        ServiceTracker<ConfigurationAdmin, ConfigurationAdmin> configurations =
                track(ConfigurationAdmin.class.getName());
        repeat(PERIOD_MILLIS, () -> offer(works.getService(), instances.getService(), configurations.getService()));
        repeat(PERIOD_MILLIS, () -> work(shared.getService()));
        repeat(PERIOD_MILLIS, commands::run);
        repeat(Measurement.PERIOD_MILLIS, commands::measure);
    }

    private <T> ServiceTracker<T, T> track(String type) {
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

    /** The action of the listener: a new leader asks immediately whether it leads; CHANGING takes as long as set. */
    private void act(TopologyEvent event, LeaderSampler sampler) {
        if (event.getNewView() != null) {
            sampler.ask(event.getNewView());
        }
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
            commands.beSlow();
        }
    }

    /** Writes with the token of the last leadership, even if it is over: the store decides. */
    private void write(long token) throws IOException {
        if (token != 0) {
            long before = System.nanoTime();
            store.write(process, token)
                    .ifPresent(accepted -> file.add(new Write(process, before, System.nanoTime(), token, accepted)));
        }
    }

    /** A version of discovery without shared data has neither the service nor the types. */
    private void share(Object shared, DiscoveryService service) {
        if (shared != null && service != null) {
            data = data == null ? new DataRecorder(process, file) : data;
            data.step((SharedData) shared, service);
        }
    }

    /** A version of discovery without work has neither the service nor the types. */
    private void offer(Object works, Object instance, ConfigurationAdmin configurations) throws IOException {
        if (work == null && works != null && instance != null) {
            WorkRecorder.configure(configurations, number("chaos.balance"));
            work = new WorkRecorder(context, process, file, (LocalInstance) instance, commands);
        }
        if (work != null && works != null) {
            work.offer();
        }
    }

    private void work(Object shared) {
        if (work != null && shared != null) {
            work.step((SharedData) shared);
        }
    }

    /** Records the start of discovery, and each of its states after that. */
    private void watch(Reporter reporter) {
        if (reporter == null) {
            return;
        }
        long now = System.nanoTime();
        if (lastState == null) {
            file.add(new Started(process, now, number("chaos.session"), number("chaos.settle")));
        }
        Object state = reporter.report().state();
        if (!state.equals(lastState)) {
            lastState = state;
            file.add(new Entered(process, now, state.toString()));
        }
    }

    private long number(String property) {
        return Long.parseLong(context.getProperty(property));
    }

    private void report(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            // A scheduled task that throws is not run again; this entry makes the check of the recording fail.
            file.add(new Failure(process, System.nanoTime(), e.toString()));
        }
    }

    @Override
    public void stop(BundleContext ended) throws IOException, InterruptedException {
        commands.stop();
        removal.run();
        for (ScheduledExecutorService each : threads) {
            each.shutdown();
            each.awaitTermination(1, TimeUnit.SECONDS);
        }
        store.close();
        trackers.forEach(ServiceTracker::close);
    }

    /** An action that may fail. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
