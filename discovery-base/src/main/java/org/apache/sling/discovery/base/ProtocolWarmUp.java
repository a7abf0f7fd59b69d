// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.journal.RecentDepartures;
import org.apache.sling.discovery.base.protocol.Effect;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.Observations;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.base.view.Validity;
import org.apache.sling.discovery.base.view.Views;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes that a change needs while the connection is being established: an imagined instance joins an empty cluster and
 * settles, settles again when another one has joined, and once more when that one has left. Its listener does nothing. Nothing of that is
 * written or logged. Otherwise most of the time of the first change would be that of loading classes.
 */
public final class ProtocolWarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(ProtocolWarmUp.class);

    /** Each change takes half as many steps. */
    private static final int STEPS = 20;

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final Member SELF = member("warm-up", 1);
    private static final Member OTHER = member("warm-up-other", 2);

    private final Subscriptions listeners = new Subscriptions(Runnable::run, () -> 0, () -> {});
    private final RecentDepartures departures = new RecentDepartures();
    private final Observations observations = new Observations(SELF.record());
    private Settling state = Settling.starting(0);
    private List<Member> members = List.of();
    private ViewSlot slot = new ViewSlot(0, 1, 0, Optional.empty());
    private Set<Acknowledgement> acknowledgements = Set.of();

    private ProtocolWarmUp() {}

    /** Runs the warm-up; never throws. Returns whether the imagined instance has settled each time. */
    public static boolean run() {
        try {
            ProtocolWarmUp imagined = new ProtocolWarmUp();
            imagined.observations.connected(SELF.session(), TIMEOUT_MILLIS);
            imagined.listeners.add(event -> {}, "warm-up");
            boolean alone = imagined.settles(1);
            imagined.members = List.of(SELF, OTHER);
            boolean joined = imagined.settles(2);
            imagined.members = List.of(SELF);
            return alone && joined && imagined.settles(1);
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("The protocol could not be prepared; its classes are loaded when they are needed", e);
            return false;
        }
    }

    private boolean settles(int size) {
        for (int i = 0; i < STEPS; i++) {
            observations.observed(snapshot(), 0);
            departures.update(observations.snapshot(), i);
            listeners.busyForAt(1);
            Facts facts = observations.facts(listeners.acting(), Set.of(), Facts.Intent.NONE, 0);
            Step step = Protocol.SETTLING.step(state, facts, SettlingPolicy.DEFAULT, 0);
            state = step.state();
            step.effects().forEach(this::perform);
            if (state instanceof Settling.Settled settled
                    && settled.held().members().size() == size) {
                return true;
            }
        }
        return false;
    }

    private StoreSnapshot snapshot() {
        return new StoreSnapshot(
                "warm-up",
                members,
                slot,
                Optional.of(acknowledgements),
                Optional.of(new LeaseProbe(1, Set.of())),
                List.of());
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Ask ask) {
            perform(ask.request());
        } else if (effect instanceof Effect.TellSettled tell) {
            listeners.tellSettled(Views.of(tell.next(), Validity.none()));
        } else {
            listeners.tellChanging();
        }
    }

    /** Does what a store would do that replies at once. */
    private void perform(Request request) {
        if (request instanceof Request.Announce) {
            members = Stream.concat(Stream.of(SELF), members.stream()).toList();
        } else if (request instanceof Request.Acknowledge acknowledge) {
            acknowledgements = Set.of(new Acknowledgement(acknowledge.node(), acknowledge.number()));
        } else if (request instanceof Request.Publish publish) {
            EstablishedView next = publish.next();
            slot = new ViewSlot(slot.version() + 1, next.number(), next.number(), Optional.of(next));
            acknowledgements = Set.of();
        }
        observations.observed(snapshot(), 0);
        observations.recordSuccess(request, 0);
    }

    private static Member member(String name, long number) {
        ProcessInfo process = new ProcessInfo(name, "host", number, "/", 0);
        MemberRecord record =
                MemberRecord.of(name, process, Map.of("name", name)).withSessionTimeout(TIMEOUT_MILLIS);
        return new Member(name, number, 0, number, record);
    }
}
