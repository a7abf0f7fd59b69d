// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.HistoryReading;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreTree;
import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreInspector;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Connection;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.data.SharedNodes;
import io.github.discoveryzk.zk.inspect.StoreReader;
import io.github.discoveryzk.zk.others.OtherClusters;
import io.github.discoveryzk.zk.requests.Requests;
import io.github.discoveryzk.zk.security.guard.AccessGuard;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.DataRecords;
import io.github.discoveryzk.zk.tree.Formats;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.TooLarge;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The nodes of one cluster in ZooKeeper, as a {@link ClusterStore}. */
public final class ZooKeeperStore implements ClusterStore, StoreInspector, AnnouncementBoard, DataStore {
    private static final long CLOSE_MILLIS = 5_000;
    private static final String NOT_OPEN = "There is no connection to ZooKeeper: the store is not open.";

    private final ZooKeeperStoreConfig config;
    private final Codecs codecs;
    private final StoreThread thread;
    private final SharedNodes data;
    private final AtomicReference<Parts> parts = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Set<CompletableFuture<?>> pendingReads = ConcurrentHashMap.newKeySet();
    private volatile Map<String, Bytes> shared = Map.of();
    private volatile Optional<InetAddress> localAddress = Optional.empty();
    private volatile AnnouncementBoard.Observer boardObserver = AnnouncementBoard.Observer.NONE;

    /** Creates an unopened store, which holds no resources yet. */
    public ZooKeeperStore(ZooKeeperStoreConfig config) {
        this(config, Formats.CURRENT);
    }

    /** Creates an unopened store of another version, which knows other formats. */
    ZooKeeperStore(ZooKeeperStoreConfig config, Formats formats) {
        this.config = config;
        this.codecs = new Codecs(formats);
        this.thread = new StoreThread("discovery-zk-" + config.clusterName());
        this.data = new SharedNodes(config.paths(), thread);
    }

    @Override
    public void open(StoreObserver observer) {
        if (closed.get() || !parts.compareAndSet(null, new Parts(observer))) {
            throw new IllegalStateException("opened twice or closed");
        }
        with(opened -> config.access().refusal().ifPresentOrElse(opened::troubled, opened.connection::open));
        with(opened -> opened.others.share(shared));
    }

    @Override
    public void request(Request request) {
        with(opened -> {
            if (request instanceof Request.Announce announce) {
                opened.others.identify(announce.record().instanceId());
            }
            opened.requests.send(request);
        });
    }

    @Override
    public void collect(boolean acknowledgements) {
        with(opened -> opened.cache.collect(acknowledgements));
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return localAddress;
    }

    @Override
    public AnnouncementBoard board() {
        return this;
    }

    @Override
    public void follow(AnnouncementBoard.Observer observer) {
        boardObserver = observer;
    }

    @Override
    public void share(Map<String, Bytes> contents) {
        shared = Map.copyOf(contents);
        with(opened -> opened.others.share(shared));
    }

    @Override
    public DataStore data() {
        return this;
    }

    @Override
    public boolean isSupported() {
        return true;
    }

    @Override
    public void follow(DataAddress address, Consumer<Content> observer) {
        thread.execute(() -> data.follow(address, observer));
    }

    @Override
    public CompletionStage<Optional<Stored>> read(DataAddress address, String key) {
        return read(opened -> data.read(address, key));
    }

    @Override
    public CompletionStage<Result> write(Write write) {
        byte[] bytes = {};
        try {
            if (write.next().isPresent()) {
                bytes = DataRecords.write(write.next().get());
            }
        } catch (TooLarge e) {
            return CompletableFuture.completedFuture(
                    new Result(Outcome.rejected(Concern.PAYLOAD, e.getMessage()), Optional.empty()));
        }
        byte[] encoded = bytes;
        return this.<Result>read(opened -> data.write(write, encoded))
                .exceptionally(lost -> new Result(Outcome.unknown(lost.getMessage()), Optional.empty()));
    }

    @Override
    public StoreInspector inspector() {
        return this;
    }

    @Override
    public CompletionStage<HistoryReading> readHistory(Set<Long> known) {
        return read(opened -> reader(opened).readHistory(known));
    }

    @Override
    public CompletionStage<Set<Acknowledgement>> readAcknowledgements() {
        return read(opened -> opened.cache.session().list(config.paths().acks()).thenApply(names -> names.stream()
                .flatMap(name -> Names.parseAcknowledgement(name).stream())
                .collect(Collectors.toUnmodifiableSet())));
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        return read(opened -> reader(opened).readTree(TREE_LIMIT));
    }

    @Override
    public Optional<StoreAccess> access() {
        return Optional.ofNullable(parts.get()).flatMap(opened -> opened.guard.latest());
    }

    /** It can be read while access to the cluster is denied. */
    @Override
    public CompletionStage<StoreAccess> checkAccess(boolean repair) {
        return read(opened -> opened.connected != null, opened -> opened.guard.check(opened.connected, repair));
    }

    private StoreReader reader(Parts opened) {
        return new StoreReader(opened.cache.session(), config.paths(), codecs);
    }

    private <T> CompletionStage<T> read(Function<Parts, CompletableFuture<T>> reading) {
        return read(opened -> opened.cache.isUsable(), reading);
    }

    /** Each read ends, even if the connection is lost or the store closed. */
    private <T> CompletionStage<T> read(Predicate<Parts> possible, Function<Parts, CompletableFuture<T>> reading) {
        CompletableFuture<T> result = new CompletableFuture<>();
        pendingReads.add(result);
        result.whenComplete((read, thrown) -> pendingReads.remove(result));
        with(opened -> {
            if (!possible.test(opened)) {
                fail(result, "There is no usable connection to ZooKeeper.");
                return;
            }
            reading.apply(opened).whenComplete((read, thrown) -> {
                if (thrown == null) {
                    result.complete(read);
                } else {
                    fail(result, Failure.of(thrown).outcome().detail());
                }
            });
        });
        if (parts.get() == null || closed.get()) {
            failReads(NOT_OPEN);
        }
        return result;
    }

    private void failReads(String why) {
        pendingReads.forEach(result -> fail(result, why));
    }

    private static void fail(CompletableFuture<?> result, String why) {
        result.completeExceptionally(new IOException(why));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            with(opened -> opened.connection.close());
            Parts opened = parts.get();
            if (opened != null) {
                opened.notifier.silence();
            }
            thread.shutDown(CLOSE_MILLIS);
            failReads(NOT_OPEN);
        }
    }

    /** Returns how often the client was replaced because no reply had arrived. */
    int clientsReplaced() {
        return parts.get().connection.clientsReplaced();
    }

    private void with(Consumer<Parts> action) {
        Parts opened = parts.get();
        if (opened != null) {
            thread.execute(() -> action.accept(opened));
        }
    }

    /** The parts of an opened store. */
    private final class Parts implements Connection.Listener {
        private final ObserverNotifier notifier;
        private final ClusterCache cache;
        private final OtherClusters others;
        private final Requests requests;
        private final Connection connection;
        private final AccessGuard guard;

        /** Null without a connection. */
        private Session connected;

        private Parts(StoreObserver observer) {
            notifier = new ObserverNotifier(observer, boardObserver);
            cache = new ClusterCache(config.paths(), codecs, thread, notifier, this::startUse, this::resumeChecks);
            others = new OtherClusters(config.paths(), codecs, thread, notifier, notifier::setProblemsOfOthers);
            requests = new Requests(config.paths(), codecs, cache, notifier);
            connection = new Connection(
                    new Connection.Settings(
                            config.servers(),
                            config.sessionTimeoutMillis(),
                            config.paths().root(),
                            config.security(),
                            config.access()),
                    thread,
                    this);
            guard = new AccessGuard(config.paths(), config.access(), thread);
        }

        @Override
        public void connected(Session session) {
            connected = session;
            localAddress = session.localAddress();
            guard.admit(session, () -> cache.start(session), this::troubled);
        }

        private void startUse() {
            others.start(cache.session());
            data.start(cache, notifier);
            guard.start(connected);
        }

        private void resumeChecks() {
            endUse();
            guard.start(connected);
        }

        @Override
        public void disconnected() {
            connected = null;
            guard.stop();
            endUse();
        }

        private void endUse() {
            cache.stop();
            others.stop();
            data.stop();
            requests.failPending();
            failReads("The connection to ZooKeeper was lost before it replied.");
            notifier.notifySuspended();
        }

        @Override
        public void expired() {
            requests.forgetSession();
            notifier.notifyExpired();
        }

        @Override
        public void troubled(String sentence) {
            notifier.notifyTrouble(sentence);
        }
    }
}
