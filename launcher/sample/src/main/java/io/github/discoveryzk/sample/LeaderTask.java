// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.NotLeaderException;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work for one instance of the cluster: with the reference to the lease it runs on the leader only. Writes a line into a
 * {@link FencedStore} each second, if the framework property {@link #FILE} says where.
 */
@Component(service = {})
@ThreadsAndClocks
public final class LeaderTask {

    /** The framework property that holds the path of the file; without it nothing is done. */
    static final String FILE = "sample.store";

    private static final Logger LOGGER = LoggerFactory.getLogger(LeaderTask.class);
    private static final long STOP_LIMIT_SECONDS = 10;

    private final LeaderLease lease;
    private final Optional<FencedStore> store;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "sample-leader-task"));
    private long count;

    /** Called by the component runtime when this instance has become the leader. */
    @Activate
    public LeaderTask(@Reference LeaderLease lease, BundleContext context) {
        this(lease, Optional.ofNullable(context.getProperty(FILE)).map(Path::of).map(FencedStore::new));
        store.ifPresent(to -> executor.scheduleWithFixedDelay(() -> work(to), 0, 1, TimeUnit.SECONDS));
    }

    LeaderTask(LeaderLease lease, Optional<FencedStore> store) {
        this.lease = lease;
        this.store = store;
    }

    void work(FencedStore to) {
        try {
            lease.check();
            to.write(
                    lease.token(),
                    ++count + " by process " + ProcessHandle.current().pid());
        } catch (NotLeaderException | StaleTokenException e) {
            LOGGER.info("Stopped: {}", e.getMessage());
            executor.shutdown();
        } catch (IOException e) {
            LOGGER.warn("Cannot write; trying again in a second", e);
        }
    }

    boolean isStopped() {
        return executor.isShutdown();
    }

    /** Called by the component runtime; nothing is written after it has returned, and the whole cluster waits for it. */
    @Deactivate
    void stop() {
        executor.shutdown();
        try {
            executor.awaitTermination(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
