// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.report.Concern;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.Problem;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes wrong between this instance and the store. Written by the engine's thread, read by any. */
public final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.LOGGER);

    private final String instanceId;
    private volatile String trouble = "";
    private volatile Optional<Reason> setback = Optional.empty();
    private final Map<String, Known> failures = new ConcurrentSkipListMap<>();

    Problems(String instanceId) {
        this.instanceId = instanceId;
    }

    /** Returns them. */
    List<Problem> all(Optional<Reason> unreachable, InstanceNames names) {
        List<Problem> all = new ArrayList<>();
        if (!trouble.isEmpty()) {
            all.add(new Problem(Concern.ACCESS, trouble));
        }
        // The store needs longer to find out why.
        Stream.of(
                        unreachable.filter(reason -> trouble.isEmpty()).stream()
                                .map(reason -> new Known(Concern.CONNECTED, reason)),
                        failures.values().stream(),
                        setback.stream().map(reason -> new Known(Concern.OTHER, reason)))
                .flatMap(each -> each)
                .map(each -> new Problem(each.concern(), each.reason().sentence(names::label)))
                .forEach(all::add);
        return all;
    }

    /** Replaces the trouble of the store; empty when it is over. */
    public void recordTrouble(String sentence) {
        trouble = sentence;
    }

    /** Records a refused request until a request of its kind succeeds or a view is settled. Other outcomes are no problem. */
    public void recordFailure(Request request, Outcome outcome) {
        if (outcome.status() == Outcome.Status.REJECTED) {
            Reason reason = Reason.of(ReasonCode.REJECTED, kind(request), instanceId, outcome.detail());
            Known rejection = new Known(outcome.concern(), reason);
            if (!rejection.equals(failures.put(kind(request), rejection))) {
                LOG.warn("{}", reason.sentence(id -> id));
            }
        }
    }

    /** Ends the failure of requests of that kind. */
    public void recordSuccess(Request request) {
        failures.remove(kind(request));
    }

    /** Another instance may have made the change that was rejected here, so it is no longer requested. */
    void recordSettled() {
        failures.clear();
    }

    private static String kind(Request request) {
        return request.kind().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Records that the store shows an older view than before. */
    public void recordStoreGoneBack(long shown, long seen) {
        Reason reason = Reason.of(ReasonCode.STORE_REGRESSED, shown, seen);
        if (!setback.equals(Optional.of(reason))) {
            setback = Optional.of(reason);
            LOG.warn("{}: {}", instanceId, reason.sentence(id -> id));
        }
    }

    private record Known(Concern concern, Reason reason) {}
}
