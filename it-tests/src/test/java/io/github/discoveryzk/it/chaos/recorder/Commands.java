// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.it.chaos.recorder.Entry.Done;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.PropertyProvider;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The commands of a driver for a process: lines in a file, executed one after the other and recorded then. It offers the properties
 * of the instance: which process it is, and a counter that changes in bursts. For one thread.
 */
final class Commands implements PropertyProvider {

    private static final String COUNTER = "chaos.counter";
    private static final long POLL_MILLIS = 10;
    private static final long START_MILLIS = 60_000;

    private final BundleContext context;
    private final String process;
    private final Path commands;
    private final RecordingFile file;
    private final ServiceTracker<?, Operator> operators;
    private final ServiceTracker<?, DiscoveryService> services;
    private final ServiceTracker<?, Reporter> reporters;
    private final ServiceRegistration<PropertyProvider> property;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile long count;
    private volatile long slowMillis;
    private volatile long slowEndMillis;
    private volatile boolean working = true;
    private volatile boolean measured;
    private int objects;
    private int done;

    Commands(
            BundleContext context,
            Path folder,
            RecordingFile file,
            ServiceTracker<?, Operator> operators,
            ServiceTracker<?, DiscoveryService> services,
            ServiceTracker<?, Reporter> reporters) {
        this.context = context;
        this.process = context.getProperty(RecordingListener.PROCESS);
        this.commands = folder.resolve(process + ".commands");
        this.file = file;
        this.operators = operators;
        this.services = services;
        this.reporters = reporters;
        this.property = context.registerService(PropertyProvider.class, this, names());
    }

    private static Dictionary<String, Object> names() {
        return new Hashtable<>(
                Map.of(PropertyProvider.PROPERTY_PROPERTIES, new String[] {RecordingListener.PROCESS, COUNTER}));
    }

    @Override
    public String getProperty(String name) {
        return name.equals(COUNTER) ? Long.toString(count) : process;
    }

    /** Executes the lines that were written to the file since the last call. */
    void run() throws IOException {
        if (!Files.exists(commands)) {
            return;
        }
        String text = Files.readString(commands);
        List<String> whole =
                text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        while (done < whole.size()) {
            String command = whole.get(done);
            done++;
            file.add(new Done(process, System.nanoTime(), command, execute(command.split(" "))));
        }
    }

    private String execute(String[] words) {
        long[] numbers = Stream.of(words)
                .skip(1)
                .filter(word -> word.matches("\\d+"))
                .mapToLong(Long::parseLong)
                .toArray();
        Operator operator = operators.getService();
        switch (words[0]) {
            case "stepdown":
                return operator == null ? "no operator" : operator.stepDown().sentence();
            case "evict":
                return operator == null
                        ? "no operator"
                        : operator.evict(words[1]).sentence();
            case "slow":
                slowMillis = numbers[0];
                return "";
            case "work":
                interruptWork(numbers[0], numbers[1]);
                return "";
            case "ready":
                pass(() -> reporters.getService().startup().isReady() ? 0 : START_MILLIS);
                return "";
            case "measure":
                measured = true;
                return "";
            case "properties":
                changeProperty(numbers[0], numbers[1]);
                return "";
            case "neighbours":
                return disturb(words[1]);
            case "listeners":
                registerAndRemove(numbers[0], numbers[1], numbers[2]);
                return "";
            default:
                throw new IllegalArgumentException("no command: " + String.join(" ", words));
        }
    }

    /** Takes a worker away for a time; each of its keys takes as long to end. */
    private void interruptWork(long stayMillis, long endMillis) {
        slowEndMillis = endMillis;
        working = false;
        pass(() -> stayMillis);
        working = true;
        slowEndMillis = 0;
    }

    /** Says whether this process shall work. */
    boolean works() {
        return working;
    }

    /** Takes a random time to end a key, which is seldom long, or as long as the command {@code work} says. */
    void endSlowly(int usualMillis, int longMillis) {
        ThreadLocalRandom chance = ThreadLocalRandom.current();
        int random = chance.nextInt(chance.nextInt(4) == 0 ? longMillis : usualMillis);
        pass(() -> Math.max(random, slowEndMillis));
    }

    private String disturb(String how) {
        NeighbourLinks links = new NeighbourLinks(services.getService());
        switch (how) {
            case "end" -> links.end();
            case "block" -> links.block();
            default -> links.unblock();
        }
        return "";
    }

    /** Changes the counter a number of times at an interval; every third time it returns to its previous value. */
    private void changeProperty(long times, long everyMillis) {
        for (int i = 1; i <= times; i++) {
            count += i % 3 == 0 ? -1 : 1;
            property.setProperties(names());
            pass(() -> everyMillis);
        }
    }

    /** Registers and removes one listener object a number of times; sets the duration of each call and of each registration. */
    private void registerAndRemove(long times, long callMillis, long stayMillis) {
        objects++;
        RecordingListener listener = new RecordingListener(objects, context, file, event -> pass(() -> callMillis));
        for (int i = 0; i < times; i++) {
            Runnable removal = listener.register();
            pass(() -> stayMillis);
            removal.run();
        }
    }

    /** Takes as long as the command {@code slow} says, which may change meanwhile. */
    void beSlow() {
        pass(() -> slowMillis);
    }

    /** Measures the process after the command {@code measure}. */
    void measure() throws IOException {
        if (measured) {
            Measurement.record(process, file);
        }
    }

    /** Ends all slowness. */
    void stop() {
        stopped.countDown();
    }

    private void pass(LongSupplier millis) {
        long start = System.nanoTime();
        try {
            for (long left = millis.getAsLong();
                    left > 0 && !stopped.await(Math.min(left, POLL_MILLIS), TimeUnit.MILLISECONDS);
                    left = millis.getAsLong() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)) {
                continue;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
