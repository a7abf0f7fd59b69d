// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.it.chaos.recorder.Entry.Begun;
import io.github.discoveryzk.it.chaos.recorder.Entry.Ended;
import io.github.discoveryzk.it.chaos.recorder.Entry.Progressed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Worked;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.Worker;
import java.io.IOException;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;

/** Works on keys and records it, and writes how far each is with the last ownership that it has had, even if that is over. */
final class WorkRecorder implements Worker {

    private static final String[] NAMES =
            IntStream.range(0, 10).mapToObj(i -> "k" + i).toArray(String[]::new);

    /** In so many steps each key is written once. */
    private static final int STEPS = 50;

    private static final int END_MILLIS = 100;
    private static final int LONG_END_MILLIS = 2_000;

    private final String process;
    private final RecordingFile file;
    private final LocalInstance instance;
    private final Commands commands;
    private final BundleContext context;
    private final Map<String, Ownership> working = new ConcurrentHashMap<>();
    private final Map<String, Ownership> had = new ConcurrentSkipListMap<>();
    private ServiceRegistration<Worker> registration;
    private int step;

    WorkRecorder(BundleContext context, String process, RecordingFile file, LocalInstance instance, Commands commands) {
        this.context = context;
        this.process = process;
        this.file = file;
        this.instance = instance;
        this.commands = commands;
    }

    static void configure(ConfigurationAdmin configurations, long balanceDelayMillis) throws IOException {
        configurations
                .getConfiguration("io.github.discoveryzk.work", "?")
                .update(new Hashtable<>(Map.of("balanceDelayMillis", balanceDelayMillis)));
    }

    /** Offers its keys, unless a command says otherwise. Called by one thread, which may wait for the ends of keys. */
    void offer() {
        if (registration == null && commands.works()) {
            Dictionary<String, Object> properties = new Hashtable<>();
            properties.put(Worker.SET, "chaos");
            properties.put(Worker.KEYS, NAMES);
            registration = context.registerService(Worker.class, this, properties);
        } else if (registration != null && !commands.works()) {
            ServiceRegistration<Worker> ended = registration;
            registration = null;
            ended.unregister();
        }
    }

    @Override
    public void begin(Ownership ownership) {
        long now = System.nanoTime();
        file.add(new Begun(
                process,
                now,
                instance.stay().map(LocalInstance.Stay::node).orElse(""),
                ownership.key(),
                ownership.token(),
                ownership.isHeld()));
        working.put(ownership.key(), ownership);
        had.put(ownership.key(), ownership);
    }

    @Override
    public void end(Ownership ownership) {
        commands.endSlowly(END_MILLIS, LONG_END_MILLIS);
        working.remove(ownership.key(), ownership);
        file.add(new Ended(process, System.nanoTime(), ownership.key(), ownership.token()));
    }

    /** Records what it works on, and writes what is due. */
    void step(SharedData data) {
        long now = System.nanoTime();
        List<String> held = working.values().stream()
                .filter(Ownership::isHeld)
                .map(each -> each.key() + "=" + each.token())
                .toList();
        if (!held.isEmpty()) {
            file.add(new Worked(process, now, held));
        }
        step++;
        if (step % STEPS == 0) {
            SharedMap<Long> progress = data.map("chaos", "work", DataKind.NUMBER);
            had.values().forEach(each -> write(progress, each));
        }
    }

    private void write(SharedMap<Long> progress, Ownership ownership) {
        long begun = System.nanoTime();
        Optional<Versioned<Long>> seen = Optional.ofNullable(progress.entries().get(ownership.key()));
        progress.replace(ownership.key(), seen, begun, ownership).thenAccept(written -> {
            long version = written instanceof Written.Done<Long> done
                    ? done.now().map(Versioned::version).orElse(0L)
                    : 0;
            file.add(new Progressed(
                    process,
                    begun,
                    System.nanoTime(),
                    ownership.key(),
                    ownership.token(),
                    written.getClass().getSimpleName(),
                    version));
        });
    }
}
