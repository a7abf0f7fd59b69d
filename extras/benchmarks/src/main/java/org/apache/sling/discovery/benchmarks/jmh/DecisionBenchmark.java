// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.jmh;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.base.protocol.Candidates;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The decision function of the coordinator when one acknowledgement arrives, while others are missing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class DecisionBenchmark {
    /** When the member left; the lease of the leader is probed after it, and the acknowledgements arrive even later. */
    private static final long START = 100_000;

    private static final long PROBED = START + 1;
    private static final long NOW = START + 2;
    private static final long NUMBER = 42;

    /** The number of members that stay; one more has left. */
    @Param({"10", "100", "1000"})
    public int members;

    private Settling state;
    private Facts facts;

    /** Brings the coordinator to the middle of a change: half of the members have acknowledged. */
    @Setup
    public void prepare() {
        List<Member> before = Samples.members(members + 1);
        List<Member> after = before.subList(0, members);
        EstablishedView view = Samples.view(before, NUMBER);
        Settling settled = new Settling.Settled(new HeldView(before.get(0).node(), Samples.CLUSTER_ID, view, before));

        Settling changing =
                step(settled, facts(view, after, 0, START - 1), START).state();
        Settling asking =
                step(changing, facts(view, after, 0, START - 1), START).state();
        state = step(asking, facts(view, after, members / 2, PROBED), NOW).state();
        facts = facts(view, after, members / 2 + 1, PROBED);
        if (!(state instanceof Settling.Changing inChange)
                || inChange.progress().isEmpty()) {
            throw new IllegalStateException("the coordinator is not in the middle of a change: " + state);
        }
    }

    @Benchmark
    public Step acknowledgement() {
        return step(state, facts, NOW);
    }

    private static Step step(Settling state, Facts facts, long now) {
        return Protocol.SETTLING.step(state, facts, SettlingPolicy.DEFAULT, now);
    }

    private static Facts facts(EstablishedView view, List<Member> live, int acknowledged, long confirmed) {
        Set<Acknowledgement> acknowledgements = new HashSet<>();
        live.subList(0, acknowledged).forEach(one -> acknowledgements.add(new Acknowledgement(one.node(), NUMBER)));
        StoreSnapshot store = new StoreSnapshot(
                Samples.CLUSTER_ID,
                live,
                new ViewSlot(3, 1_000, NUMBER, Optional.of(view)),
                Optional.of(acknowledgements),
                Optional.of(new LeaseProbe(1, Set.of())),
                List.of());
        Member self = live.get(0);
        return new Facts(
                self.record(),
                new Facts.Link(self.session(), Samples.SESSION_MILLIS, Samples.SESSION_MILLIS, true, START - 100_000),
                new Facts.Seen(
                        Optional.of(store),
                        Candidates.of(store),
                        START - 1_000,
                        NUMBER,
                        acknowledged == 0 ? OptionalLong.empty() : OptionalLong.of(NUMBER)),
                new Facts.Confirmations(confirmed, Samples.SESSION_MILLIS, confirmed, confirmed),
                Facts.Activity.NONE,
                Facts.Intent.NONE,
                1_700_000_000_000L);
    }
}
