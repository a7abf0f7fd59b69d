// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.exploration.Event.Kind;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.util.List;

/** The scopes that are explored. Instances are counted from 0: the leader, the successor, and so on. */
final class Scopes {

    private Scopes() {}

    static List<Scope> all() {
        return List.of(
                new Scope("cold start of two, all messages in any order", 0, 2)
                        .allow(Kind.START, 2)
                        .slowNet(0, 1),
                new Scope("join of a second, messages and listeners in any order", 1, 1)
                        .allow(Kind.START, 1)
                        .slowNet(0, 1)
                        .slowListener(0, 1),
                new Scope("leave of one of two, messages and listeners in any order", 2, 0)
                        .allow(Kind.LEAVE, 1)
                        .slowNet(0, 1)
                        .slowListener(0, 1),
                new Scope("cut of one of two, messages in any order", 2, 0)
                        .allow(Kind.CUT, 1)
                        .slowNet(0, 1),
                flicker(),
                new Scope("three, one killed, one cut, one session ended early", 3, 0)
                        .allow(Kind.KILL, 1)
                        .allow(Kind.CUT, 1)
                        .allow(Kind.END_EARLY, 1)
                        .interrupting(Kind.CUT),
                new Scope("three, one paused, one cut, one session ended early", 3, 0)
                        .allow(Kind.PAUSE, 1)
                        .allow(Kind.CUT, 1)
                        .allow(Kind.END_EARLY, 1),
                slowLeader("three, the leader slow, one session ended early"),
                slowLeader("the same, the successor with a clock 9/8 as fast").clock(1, 9),
                new Scope("two and one with the id of the first, one stopped, one cut", 2, 1)
                        .allow(Kind.START, 1)
                        .allow(Kind.LEAVE, 1)
                        .allow(Kind.CUT, 1)
                        .sameId(2, 0),
                new Scope("three, one steps down, one cut, listener of the leader slow", 3, 0)
                        .allow(Kind.STEP_DOWN, 1)
                        .allow(Kind.CUT, 1)
                        .interrupting(Kind.CUT)
                        .slowListener(0),
                new Scope("join of a third, one cut, two requests late", 2, 1)
                        .allow(Kind.START, 1)
                        .allow(Kind.CUT, 1)
                        .allow(Kind.STRAY, 2)
                        .interrupting(Kind.CUT),
                new Scope("three with the strict policy, two cut", 3, 0)
                        .allow(Kind.CUT, 2)
                        .policy(new SettlingPolicy(1_200, 0, 100, SuspendedPolicy.STRICT)),
                new Scope("three, two with false hints about all others, one paused, one cut", 3, 0)
                        .allow(Kind.HINT, 2)
                        .allow(Kind.PAUSE, 1)
                        .allow(Kind.CUT, 1)
                        .interrupting(Kind.CUT),
                new Scope("two with a false hint, the accused slow or paused, messages in any order", 2, 0)
                        .allow(Kind.HINT, 1, 1)
                        .allow(Kind.PAUSE, 1)
                        .slowNet(0),
                blindLeader(),
                blindNewcomer(),
                stepIn());
    }

    private static Scope slowLeader(String name) {
        return new Scope(name, 3, 0).allow(Kind.END_EARLY, 1).slowNet(0);
    }

    /** A newcomer has waited for two thirds of the settle timeout, because the listener of the leader has run for that time. */
    static Scope flicker() {
        return new Scope("a newcomer leaves during its join, the leader cut, its listener slow", 2, 1)
                .slowListener(0)
                .after(Event.of(Kind.START, 2))
                .until(800)
                .allow(Kind.LEAVE, 1, 2)
                .allow(Kind.CUT, 1, 0)
                .interrupting(Kind.CUT);
    }

    static Scope blindLeader() {
        return new Scope("join of a third, which the leader cannot read, one stopped", 2, 1)
                .allow(Kind.START, 1)
                .allow(Kind.LEAVE, 1)
                .cannotRead(0, 2)
                .sample(0);
    }

    static Scope blindNewcomer() {
        return new Scope("join of a third, which cannot read the leader, one stopped", 2, 1)
                .allow(Kind.START, 1)
                .allow(Kind.LEAVE, 1)
                .cannotRead(2, 0)
                .sample(0);
    }

    /**
     * The successor has published a view that the leader leads, the leader stops, and the successor pauses once it has
     * acknowledged that view, until the next in order has published for it.
     */
    static Scope stepIn() {
        return new Scope(
                        "the successor has published for a leader that stops; it is paused, cut, its session ended early",
                        4,
                        0)
                .slowListener(0)
                .after(Event.of(Kind.LEAVE, 3))
                .until(200)
                .afterJust(Event.of(Kind.RETURN, 0), Event.of(Kind.ARRIVE, 0))
                .after(Event.of(Kind.PAUSE, 0))
                .until(300)
                .afterJust(Event.of(Kind.RESUME, 0), Event.of(Kind.LEAVE, 0))
                .afterJust(Event.of(Kind.ARRIVE, 0), Event.of(Kind.ARRIVE, 0))
                .afterJust(Event.of(Kind.DELIVER, 1), Event.of(Kind.RETURN, 1))
                .afterJust(Event.of(Kind.ARRIVE, 1), Event.of(Kind.ARRIVE, 1))
                .after(Event.of(Kind.PAUSE, 1))
                .until(501)
                .allow(Kind.PAUSE, 1, 1)
                .allow(Kind.CUT, 1, 1)
                .interrupting(Kind.CUT)
                .allow(Kind.END_EARLY, 1, 1);
    }
}
