// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.sling.commons.scheduler.Scheduler;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the topology from another listener for some time after the start, for a component that should not act on it while its
 * container is still starting.
 *
 * <p>The events of the other listener, the delegate, follow the grammar of {@link TopologyEventListener}. If the topology is
 * settled when the delay ends, it receives INIT with the view of that moment; if not, INIT with the first settled view after
 * it. From then on it receives every event.
 *
 * <p>The delegate is never called by two threads at the same time. {@link #handleTopologyEvent} returns after the delegate has returned,
 * even if it must wait for the INIT that the end of the delay caused: for discovery, the return from CHANGING means that the
 * delegate has stopped its work. So the caller of {@link #handleTopologyEvent} must not hold a lock that the delegate takes.
 * {@link #dispose} never waits.
 *
 * <p>The delay creates no thread: the JDK has one for all delays, and the common pool of the JDK delivers the first INIT unless
 * an event after the delay does.
 */
public class InitDelayingTopologyEventListener implements TopologyEventListener {

    private final TopologyEventListener delegate;
    private final Logger logger;
    private final CompletableFuture<?> delay;

    /**
     * Guards the fields below and is held during each call of the delegate. Reentrant; {@link #dispose} does not wait for it.
     */
    private final ReentrantLock delivery = new ReentrantLock(true);

    private boolean delaying = true;
    private boolean initialised;
    private TopologyEvent last;

    private volatile boolean disposed;

    /** Starts the delay as {@link #InitDelayingTopologyEventListener(long, TopologyEventListener, Logger)} does, without a logger. */
    public InitDelayingTopologyEventListener(long startupDelay, TopologyEventListener delegate) {
        this(startupDelay, delegate, (Logger) null);
    }

    /**
     * Starts the delay.
     *
     * @param startupDelay in seconds, more than 0
     * @param delegate listener that receives events after the delay, never null
     * @param logger where to log, or null for the logger of this class
     * @throws IllegalArgumentException if the delay is not more than 0 or the delegate is null
     */
    public InitDelayingTopologyEventListener(long startupDelay, TopologyEventListener delegate, Logger logger) {
        this(secondsFromNow(startupDelay), delegate, logger);
    }

    /**
     * Starts the delay as the constructor without a scheduler does.
     *
     * @param scheduler not used, may be null
     * @deprecated the delay needs no scheduler; a bundle that calls this needs the package of the scheduler in its container
     */
    @Deprecated
    public InitDelayingTopologyEventListener(long startupDelay, TopologyEventListener delegate, Scheduler scheduler) {
        this(startupDelay, delegate);
    }

    /**
     * Starts the delay as the constructor without a scheduler does.
     *
     * @param scheduler not used, may be null
     * @deprecated the delay needs no scheduler; a bundle that calls this needs the package of the scheduler in its container
     */
    @Deprecated
    public InitDelayingTopologyEventListener(
            long startupDelay, TopologyEventListener delegate, Scheduler scheduler, Logger logger) {
        this(startupDelay, delegate, logger);
    }

    private InitDelayingTopologyEventListener(
            CompletableFuture<?> delay, TopologyEventListener delegate, Logger logger) {
        this(delay, delay.defaultExecutor(), delegate, logger);
    }

    /**
     * Waits for the end of a delay that the caller measures.
     *
     * @param delay completes at the end of the delay; cancelled by {@link #dispose}
     * @param executor delivers the first event at the end of the delay
     * @param delegate never null
     * @param logger null for the logger of this class
     */
    InitDelayingTopologyEventListener(
            CompletableFuture<?> delay, Executor executor, TopologyEventListener delegate, Logger logger) {
        if (delegate == null) {
            delay.cancel(false);
            throw new IllegalArgumentException("there must be a listener to delegate to, but delegate is null");
        }
        this.delegate = delegate;
        this.logger = logger == null ? LoggerFactory.getLogger(getClass()) : logger;
        this.delay = delay;
        delay.thenRunAsync(this::endDelay, executor);
    }

    private static CompletableFuture<?> secondsFromNow(long startupDelay) {
        if (startupDelay <= 0) {
            throw new IllegalArgumentException("startupDelay must be more than 0 seconds, but is " + startupDelay);
        }
        return new CompletableFuture<Void>().completeOnTimeout(null, startupDelay, TimeUnit.SECONDS);
    }

    /**
     * Keeps the event until the delay is over, or passes it on. An exception of the delegate is thrown to the caller.
     *
     * @param event never null
     */
    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        delivery.lock();
        try {
            if (delaying) {
                logger.debug("kept until the delay is over: {}", event);
                last = event;
            } else {
                handOn(event);
            }
        } finally {
            delivery.unlock();
        }
    }

    /**
     * Ends the delay without calling the delegate. No further call of the delegate begins; a running call continues. Never
     * waits, may be called by any thread, also by the delegate, and more than once.
     */
    public void dispose() {
        disposed = true;
        delay.cancel(false);
    }

    private void endDelay() {
        delivery.lock();
        try {
            delaying = false;
            TopologyEvent kept = last;
            last = null;
            if (kept == null) {
                logger.debug("the delay is over, waiting for the first event");
            } else {
                handOn(kept);
            }
        } catch (RuntimeException | LinkageError e) {
            logger.error("the listener {} failed in its first event", delegate, e);
        } finally {
            delivery.unlock();
        }
    }

    private void handOn(TopologyEvent event) {
        if (disposed) {
            return;
        }
        if (initialised) {
            delegate.handleTopologyEvent(event);
        } else if (event.getType() == Type.TOPOLOGY_CHANGING) {
            logger.debug("the delay is over, waiting for the topology to settle");
        } else {
            initialised = true;
            delegate.handleTopologyEvent(asInit(event));
        }
    }

    private static TopologyEvent asInit(TopologyEvent settled) {
        return settled.getType() == Type.TOPOLOGY_INIT
                ? settled
                : new TopologyEvent(Type.TOPOLOGY_INIT, null, settled.getNewView());
    }
}
