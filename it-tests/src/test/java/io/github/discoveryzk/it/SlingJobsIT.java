// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.sling.api.resource.ResourceResolver;
import org.apache.sling.api.resource.ResourceResolverFactory;
import org.apache.sling.api.resource.observation.ResourceChange;
import org.apache.sling.api.resource.observation.ResourceChangeListener;
import org.apache.sling.event.jobs.Job;
import org.apache.sling.event.jobs.JobManager;
import org.apache.sling.event.jobs.consumer.JobConsumer;
import org.apache.sling.serviceusermapping.ServiceUserMapped;
import org.apache.sling.testing.resourceresolver.MockResourceResolverFactory;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleException;
import org.osgi.service.event.Event;
import org.osgi.service.event.EventAdmin;

/** Sling's jobs, as a Starter has them, with a repository in memory: they are assigned by the topology of this implementation. */
public class SlingJobsIT extends ContainerTest {

    private static final String TOPIC = "it/topic";

    /** The property with the topics of an instance, by which Sling assigns jobs. */
    private static final String TOPICS = "org.apache.sling.event.jobs.consumer.topics";

    private static final String ASSIGNED = "/var/eventing/jobs/assigned/";

    private final ResourceResolverFactory repository = new MockResourceResolverFactory(new Observation());
    private volatile CompletableFuture<Void> passedOn = CompletableFuture.completedFuture(null);
    private final Collection<String> processed = new CopyOnWriteArrayList<>();

    @Override
    @Configuration
    public Option[] configured() {
        // The settings come first, because they provide the instance id, which is also a name in the repository.
        return options(
                Setup.configuredContainer(getClass(), settings()),
                Setup.bundles("metrics-core", "org.apache.sling.settings"),
                Setup.ourBundles(),
                Setup.bundles("org.apache.felix.eventadmin", "org.osgi.util.converter", "commons-io"),
                Setup.bundles("starter/org.apache.felix.http.servlet-api", "org.apache.sling.api"),
                Setup.bundles("org.apache.sling.testing.resourceresolver-mock"),
                Setup.bundles("org.apache.sling.commons.metrics", "org.apache.sling.commons.threads"),
                Setup.bundles("org.apache.sling.commons.scheduler", "org.apache.sling.serviceusermapper"),
                Setup.bundles("geronimo-annotation_1.3_spec"),
                bundle(Setup.jar("org.apache.sling.event").toURI().toString()).noStart());
    }

    @Before
    public void startJobs() throws BundleException {
        container()
                .configure(
                        "org.apache.sling.event.impl.jobs.jcr.PersistenceHandler",
                        Map.of("startup.delay", 0L, "load.delay", 0L));
        // After its configuration: the delay at the start is read once.
        container().bundle("org.apache.sling.event").start();
        container().register(ServiceUserMapped.class, new ServiceUserMapped() {}, Map.of());
        container().register(ResourceResolverFactory.class, repository, Map.of());
        container().untilCurrent();
        awaitThat("a job manager", () -> container().offers(JobManager.class.getName()));
    }

    @After
    public void nothingFailed() {
        // A change that reaches the jobs while they stop makes them fail.
        passedOn.orTimeout(Limit.millis(), TimeUnit.MILLISECONDS).join();
        assertThat(container().errors()).isEmpty();
    }

    private void queue(String name) {
        Job queued = container().ask(JobManager.class, jobs -> jobs.addJob(TOPIC, Map.of("name", name)));
        assertThat(queued).as("a queued job").isNotNull();
    }

    private void consume() {
        JobConsumer consumer = job -> {
            processed.add(job.getProperty("name") + " by " + job.getTargetInstance());
            return JobConsumer.JobResult.OK;
        };
        container().register(JobConsumer.class, consumer, Map.of(JobConsumer.PROPERTY_TOPICS, TOPIC));
    }

    private void untilAssigned(String instance) {
        untilAsserted(() -> {
            try (ResourceResolver resolver = repository.getServiceResourceResolver(null)) {
                assertThat(resolver.getResource(ASSIGNED + instance + "/" + TOPIC.replace('/', '.')))
                        .isNotNull();
            }
        });
    }

    private void untilProcessed(String name) {
        String here = container().self().getSlingId();
        untilAsserted(() -> assertThat(processed).containsExactly(name + " by " + here));
    }

    @Test
    public void aJobIsProcessedByTheInstanceThatQueuesIt() {
        consume();
        untilAsserted(() -> assertThat(container().self().getProperty(TOPICS)).contains(TOPIC));
        queue("own");
        untilProcessed("own");
    }

    @Test
    public void aJobOfAnInstanceThatLeavesIsTakenOver() {
        try (PlainInstance other = join("other")) {
            other.offer(TOPICS, TOPIC);
            // A job that is queued before its manager has heard of the topic is assigned only minutes later.
            untilAsserted(() -> assertThat(container().topology().getInstances())
                    .anySatisfy(each -> assertThat(each.getProperty(TOPICS)).contains(TOPIC)));
            awaitThat("the listeners to return", () -> container().report().situation().listeners().stream()
                    .allMatch(each -> each.pending() == 0));
            queue("of the other");
            untilAssigned("other");
        }
        consume();
        untilProcessed("of the other");
    }

    /** Passes what the repository adds on to the listener for it, as Sling does, and only when the repository has let go of its lock. */
    private final class Observation implements EventAdmin {

        @Override
        public void sendEvent(Event event) {
            postEvent(event);
        }

        @Override
        public void postEvent(Event event) {
            if (event.getTopic().endsWith("/ADDED")) {
                passedOn = passedOn.thenRunAsync(() -> added((String) event.getProperty("path")));
            }
        }

        private void added(String path) {
            container()
                    .find(ResourceChangeListener.class)
                    .map(listener -> listener.getProperty(ResourceChangeListener.PATHS))
                    .filter(paths -> path.startsWith(paths + "/"))
                    .ifPresent(paths -> container().ask(ResourceChangeListener.class, listener -> {
                        listener.onChange(List.of(new ResourceChange(ResourceChange.ChangeType.ADDED, path, false)));
                        return null;
                    }));
        }
    }
}
