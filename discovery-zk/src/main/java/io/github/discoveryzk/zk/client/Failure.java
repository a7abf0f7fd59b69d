// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.spi.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failure of a request to ZooKeeper. */
public final class Failure extends Exception {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(Failure.class);

    private final Code code;
    private final String path;
    private final int index;

    public Failure(Code code, String path) {
        this(code, path, -1);
    }

    /**
     * Creates the failure of a transaction.
     *
     * @param index which of its operations failed, from 0; negative when that is unknown
     */
    public Failure(Code code, String path, int index) {
        super(null, null, false, false);
        this.code = code;
        this.path = path;
        this.index = index;
    }

    /** Returns the failure that a future has failed with. */
    public static Failure of(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof Failure failure) {
            return failure;
        }
        LOG.error("Unexpected failure in the ZooKeeper store", cause);
        return new Failure(Code.SYSTEMERROR, "a request");
    }

    /** Returns the outcome of a transaction, with the operation that has failed, if any. */
    static Failure ofTransaction(List<Op> operations, int rc, List<OpResult> results) {
        for (int i = 0; results != null && i < results.size(); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() == rc) {
                return new Failure(Code.get(rc), operations.get(i).getPath(), i);
            }
        }
        return new Failure(Code.get(rc), "a transaction");
    }

    /** Returns what goes on in place of a request that failed with that code; after another failure nothing does. */
    public static <T> Function<Throwable, CompletableFuture<T>> on(
            Code expected, Supplier<CompletableFuture<T>> instead) {
        return thrown ->
                Failure.of(thrown).is(expected) ? instead.get() : CompletableFuture.failedFuture(Failure.of(thrown));
    }

    @Override
    public String getMessage() {
        return code + " for " + path;
    }

    public Code code() {
        return code;
    }

    public String path() {
        return path;
    }

    /** Returns which operation of the transaction failed, from 0; negative when that is unknown or it was no transaction. */
    public int index() {
        return index;
    }

    public boolean is(Code one) {
        return code == one;
    }

    /** Returns whether the reply was lost, so that the outcome of the request is unknown. */
    public boolean isUnknown() {
        return switch (code) {
            case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT -> true;
            default -> false;
        };
    }

    /** Returns what an operator can do, as a sentence. */
    public String remedy() {
        return is(Code.NOAUTH)
                ? "Check its access rights and the credentials of this instance: discovery:acl shows both."
                : "Check the access rights and the quota of the root path.";
    }

    /**
     * Returns UNKNOWN when the reply was lost, OVERTAKEN when another client has changed the nodes, and otherwise REFUSED. The detail is a
     * sentence for operators.
     */
    public Outcome outcome() {
        if (isUnknown()) {
            return Outcome.unknown("The connection to ZooKeeper was lost before it replied (" + code + ").");
        }
        return switch (code) {
            case BADVERSION -> Outcome.overtaken("Another client has written " + path + " in the meantime.");
            case NONODE -> Outcome.overtaken("The node " + path + " no longer exists.");
            case NODEEXISTS -> Outcome.overtaken("The node " + path + " exists already.");
            case NOAUTH, AUTHFAILED -> Outcome.rejected(
                    Concern.ACCESS, "ZooKeeper denies access to " + path + ". " + remedy());
            case MARSHALLINGERROR -> Outcome.rejected(
                    Concern.PAYLOAD,
                    "ZooKeeper closes the connection each time this instance writes " + path
                            + ". Probably jute.maxbuffer of the servers is too low: raise it on each of them, or have"
                            + " the property providers offer less.");
            case QUOTAEXCEEDED -> Outcome.rejected(
                    Concern.PAYLOAD, "The quota of " + path + " or of a node above it is exhausted.");
            default -> Outcome.rejected("ZooKeeper replies " + code + " for " + path + ".");
        };
    }
}
