// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.osgi;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.spi.ConfigurationReader;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.work.WorkView;
import io.github.discoveryzk.work.Worker;
import io.github.discoveryzk.work.place.Work;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The work of this container: the workers in its service registry, and a view, a section and a command that show who handles what. */
@Component(
        immediate = true,
        service = WorkView.class,
        property = {"osgi.command.scope=discovery", "osgi.command.function=work"},
        configurationPid = WorkComponent.PID,
        configurationPolicy = ConfigurationPolicy.OPTIONAL)
@Designate(ocd = WorkConfig.class)
public final class WorkComponent implements WorkView, ServiceTrackerCustomizer<Worker, ServedWorker> {

    static final String PID = "io.github.discoveryzk.work";

    private static final Logger LOG = LoggerFactory.getLogger(WorkComponent.class);

    /** A worker that goes is waited for, so that its bundle is there when it ends. */
    private static final long END_LIMIT_MILLIS = 5_000;

    private final BundleContext context;
    private final Work work;
    private final ServiceRegistration<AddedSection> section;
    private final ServiceTracker<Worker, ServedWorker> workers;
    private final Map<ServiceReference<Worker>, String> unusable = new ConcurrentHashMap<>();
    private volatile long balanceDelayMillis;
    private volatile List<String> problems = List.of();
    private volatile boolean ended;

    @Activate
    public WorkComponent(
            BundleContext context,
            Map<String, Object> configuration,
            @Reference LocalInstance instance,
            @Reference SharedData data) {
        this.context = context;
        configure(configuration);
        work = new Work(instance, data, Time.SYSTEM, () -> balanceDelayMillis);
        work.describe(() -> Stream.concat(problems.stream(), unusable.values().stream()));
        section = context.registerService(AddedSection.class, work.section(), null);
        workers = new ServiceTracker<>(context, Worker.class, this);
        workers.open();
    }

    @Modified
    void configure(Map<String, Object> configuration) {
        ConfigurationReader reader = new ConfigurationReader(PID, WorkConfig.class, configuration);
        balanceDelayMillis = reader.number("balanceDelayMillis", 0, WorkConfig.MAX_DELAY_MILLIS);
        problems = reader.problems();
        problems.forEach(LOG::warn);
    }

    @Deactivate
    void deactivate() {
        ended = true;
        await(work.close(), "The work of this instance");
        section.unregister();
        workers.close();
    }

    private static void await(CompletableFuture<Void> end, String what) {
        try {
            end.get(END_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn(
                    "{} has not ended within {} ms; no other instance handles its keys before", what, END_LIMIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.warn("{} has not ended as it should", what, e);
        }
    }

    @Override
    public ServedWorker addingService(ServiceReference<Worker> reference) {
        Worker worker = context.getService(reference);
        if (worker == null) {
            return null;
        }
        ServedWorker served = new ServedWorker(context, worker);
        modifiedService(reference, served);
        return served;
    }

    @Override
    public void modifiedService(ServiceReference<Worker> reference, ServedWorker served) {
        unusable.remove(reference);
        try {
            if (!(reference.getProperty(Worker.SET) instanceof String set)) {
                throw new IllegalArgumentException("its property " + Worker.SET + " is not a text");
            }
            work.add(served, () -> name(reference), set, texts(reference.getProperty(Worker.KEYS)));
        } catch (IllegalArgumentException e) {
            unusable.put(reference, "The worker of " + name(reference) + " cannot be used: " + e.getMessage() + ".");
            LOG.warn("The worker of {} cannot be used", name(reference), e);
            work.remove(served);
        }
    }

    private static List<String> texts(Object property) {
        if (property instanceof String[] many) {
            return List.of(many);
        } else if (property instanceof Collection<?> many) {
            return many.stream().map(String::valueOf).toList();
        } else if (property instanceof String one) {
            return List.of(one);
        } else if (property == null) {
            return List.of();
        }
        throw new IllegalArgumentException("its property " + Worker.KEYS + " has no texts");
    }

    @Override
    public void removedService(ServiceReference<Worker> reference, ServedWorker served) {
        unusable.remove(reference);
        CompletableFuture<Void> end = work.remove(served);
        if (!ended) {
            await(end, "The worker of " + name(reference));
        }
        context.ungetService(reference);
    }

    private static String name(ServiceReference<Worker> reference) {
        return reference.getBundle() == null
                ? "a bundle that was stopped"
                : "bundle " + reference.getBundle().getSymbolicName();
    }

    @Override
    public Map<String, String> owners(String set) {
        return work.owners(set);
    }

    /** The shell command: prints who handles what. */
    public void work() {
        AddedSection.Content content = work.section().content();
        content.sentences().forEach(System.out::println);
        content.rows().forEach(row -> System.out.println(String.join("  ", row)));
    }
}
