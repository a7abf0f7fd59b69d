// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The requests in flight, at most one of a kind, and the kinds that back off after a failure. Confined to the engine's thread;
 * times are monotonic milliseconds.
 */
final class OutstandingRequests {

    private static final long FIRST_REST_MILLIS = 50;
    private static final long MAX_REST_MILLIS = 10_000;

    private final Map<Object, Long> startedAt = new HashMap<>();
    private final Map<Object, Rest> rests = new HashMap<>();
    private boolean collecting;

    /** Makes a store begin or end to collect acknowledgements, unless it does so already. */
    void collect(boolean wanted, ClusterStore store) {
        if (collecting != wanted) {
            collecting = wanted;
            store.collect(wanted);
        }
    }

    void start(Request request, long now) {
        startedAt.put(request.kind(), now);
    }

    /** Returns when the request was started. */
    long complete(Request request) {
        rests.remove(request.kind());
        Long started = startedAt.remove(request.kind());
        return started == null ? Long.MIN_VALUE / 4 : started;
    }

    void backOff(Request request, long now) {
        startedAt.remove(request.kind());
        Rest last = rests.get(request.kind());
        // Failures far apart, such as lost races for a publication, are unrelated. The verdict does not wait for a
        // refutation.
        boolean again = last != null && now - last.until() < MAX_REST_MILLIS && !(request instanceof Request.Refute);
        long millis = again ? Math.min(MAX_REST_MILLIS, last.millis() * 2) : FIRST_REST_MILLIS;
        rests.put(request.kind(), new Rest(now + millis, millis));
    }

    /** Ends all back-offs: on a new connection, requests that failed on the old one may be tried immediately. */
    void resume() {
        rests.clear();
    }

    /** Ends the back-off of a kind, because the reason of its last failure is gone. */
    void resume(Object kind) {
        rests.remove(kind);
    }

    Set<Object> kinds(long now) {
        Set<Object> kinds = new HashSet<>(startedAt.keySet());
        rests.forEach((kind, rest) -> {
            if (now < rest.until()) {
                kinds.add(kind);
            }
        });
        return kinds;
    }

    /** Returns when the next back-off ends, {@link Long#MAX_VALUE} when there is none. */
    long wakeAt(long now) {
        if (rests.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return rests.values().stream()
                .mapToLong(Rest::until)
                .filter(until -> until > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private record Rest(long until, long millis) {}
}
