// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.testing;

import io.github.discoveryzk.zk.client.Client;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;

/** A real client that misbehaves on demand: replies oddly, keeps replies, sends reads late, or does not tell of changes. */
@SuppressWarnings("try")
public class OddClient extends Client {
    private final List<Runnable> kept = new CopyOnWriteArrayList<>();
    private final Map<Watcher, Watcher> selective = new ConcurrentHashMap<>();
    private volatile Oddity oddity = Oddity.NONE;
    private volatile Predicate<WatchedEvent> swallowed = event -> false;
    private volatile Predicate<String> late = path -> false;
    private volatile boolean older;
    private final AtomicInteger failures = new AtomicInteger();
    private final List<String> reads = new CopyOnWriteArrayList<>();

    /** What becomes of a request. */
    public enum Oddity {
        NONE,
        NO_STAT,
        THROWS,
        REPLY_KEPT
    }

    public OddClient(String servers) throws IOException {
        super(
                servers,
                10_000,
                event -> {},
                0,
                new byte[16],
                new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses()),
                new ZKClientConfig());
    }

    public void be(Oddity odd) {
        oddity = odd;
    }

    /** Does not tell of these changes. */
    public void swallow(Predicate<WatchedEvent> events) {
        swallowed = events;
    }

    /** Sends no reads of these paths before {@link #release}. */
    public void delay(Predicate<String> paths) {
        late = paths;
    }

    /** Tells of changes as if the server were older than version 3.9: without their transactions. */
    public void hideTransactions(boolean hidden) {
        older = hidden;
    }

    /** Returns the paths of all reads of data that were sent, the oldest first. */
    public List<String> reads() {
        return reads;
    }

    /** Returns how much is being kept. */
    public int kept() {
        return kept.size();
    }

    /** Does what was kept first. */
    public void releaseFirst() {
        kept.remove(0).run();
    }

    /** Does what was kept, and keeps nothing. */
    public void release() {
        List<Runnable> all;
        synchronized (kept) {
            // A request that is being made now is kept before this and released, or is not kept.
            late = path -> false;
            oddity = Oddity.NONE;
            all = List.copyOf(kept);
            kept.clear();
        }
        all.forEach(Runnable::run);
    }

    @Override
    public void exists(String path, boolean watch, StatCallback callback, Object context) {
        synchronized (kept) {
            switch (oddity) {
                case NONE -> super.exists(path, watch, callback, context);
                case NO_STAT -> callback.processResult(Code.OK.intValue(), path, context, null);
                case THROWS -> throw new IllegalStateException("thrown by a test");
                case REPLY_KEPT -> kept.add(
                        () -> callback.processResult(Code.OK.intValue(), path, context, new Stat()));
            }
        }
    }

    @Override
    public void multi(Iterable<Op> operations, MultiCallback callback, Object context) {
        synchronized (kept) {
            if (oddity == Oddity.REPLY_KEPT) {
                kept.add(() -> callback.processResult(Code.OK.intValue(), null, context, List.of()));
            } else if (isLate(operations)) {
                kept.add(() -> super.multi(operations, callback, context));
            } else {
                super.multi(operations, callback, context);
            }
        }
    }

    private boolean isLate(Iterable<Op> operations) {
        for (Op operation : operations) {
            if (operation.getKind() == Op.OpKind.READ && late.test(operation.getPath())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void getData(String path, boolean watch, DataCallback callback, Object context) {
        synchronized (kept) {
            if (late.test(path)) {
                kept.add(() -> sendRead(path, watch, callback, context));
            } else {
                sendRead(path, watch, callback, context);
            }
        }
    }

    private void sendRead(String path, boolean watch, DataCallback callback, Object context) {
        reads.add(path);
        boolean broken = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        super.getData(
                path,
                watch,
                broken ? (rc, p, ctx, data, stat) -> callback.processResult(rc, p, ctx, data, null) : callback,
                context);
    }

    /** Has the next reads replied to without a stat, so that processing the reply fails. */
    public void failNextReads(int count) {
        failures.set(count);
    }

    @Override
    public void addWatch(String path, Watcher watcher, AddWatchMode mode, VoidCallback callback, Object context) {
        super.addWatch(path, selective.computeIfAbsent(watcher, this::selective), mode, callback, context);
    }

    private Watcher selective(Watcher watcher) {
        return event -> {
            if (!swallowed.test(event)) {
                watcher.process(older ? new WatchedEvent(event.getType(), event.getState(), event.getPath()) : event);
            }
        };
    }
}
