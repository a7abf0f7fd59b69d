// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.journal;

import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Health.Severity;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes wrong between this instance and the store. Written by the engine's thread, read by any. */
public final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.LOGGER);

    private final String instanceId;
    private volatile String trouble = "";
    private volatile Optional<Reason> setback = Optional.empty();
    private final Map<String, Outcome> rejections = new ConcurrentSkipListMap<>();

    Problems(String instanceId) {
        this.instanceId = instanceId;
    }

    /** Returns them. */
    List<Finding> all(InstanceNames names) {
        List<Finding> all = new ArrayList<>();
        BiConsumer<Concern, Reason> add =
                (concern, reason) -> all.add(new Finding(concern, Severity.WARN, reason.sentence(names::label)));
        if (!trouble.isEmpty()) {
            all.add(new Finding(Concern.ACCESS, Severity.WARN, trouble));
        }
        rejections.forEach((kind, rejected) -> add.accept(rejected.concern(), reason(kind, rejected)));
        setback.ifPresent(reason -> add.accept(Concern.OTHER, reason));
        return all;
    }

    /** Returns the trouble of the store, which needs longer to find out; until then, that no server answers. */
    String whyUnreachable(String address) {
        return trouble.isEmpty() ? Reason.of(ReasonCode.NO_ANSWER, address).sentence(id -> id) : trouble;
    }

    /** Replaces the trouble of the store; empty when it is over. */
    public void recordTrouble(String sentence) {
        trouble = sentence;
    }

    /** Records a refused request until a request of its kind succeeds or a view is settled. Other outcomes are no problem. */
    public void recordFailure(Request request, Outcome outcome) {
        String kind = kind(request.getClass());
        if (outcome.status() == Outcome.Status.REJECTED && !outcome.equals(rejections.put(kind, outcome))) {
            LOG.warn("{}", reason(kind, outcome).sentence(id -> id));
        }
    }

    private Reason reason(String kind, Outcome rejected) {
        return Reason.of(ReasonCode.REJECTED, kind, instanceId, rejected.detail());
    }

    /** Ends the failure of requests of that kind. */
    public void recordSuccess(Request request) {
        rejections.remove(kind(request.getClass()));
    }

    /** Another instance may have made the change that was rejected here, so it is no longer requested. */
    void recordSettled() {
        rejections.clear();
    }

    /** Returns the word for a kind of requests. */
    static String kind(Class<?> type) {
        return type.getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Records that the store shows an older view than before. */
    public void recordStoreGoneBack(long shown, long seen) {
        Reason reason = Reason.of(ReasonCode.STORE_REGRESSED, shown, seen);
        if (!setback.equals(Optional.of(reason))) {
            setback = Optional.of(reason);
            LOG.warn("{}: {}", instanceId, reason.sentence(id -> id));
        }
    }
}
