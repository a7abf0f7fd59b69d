// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Compares the first change that a process sees after its start with the one after a hundred others, and its first start of a
 * member with a later one. Half as many processes rest before their first change, and see the hundred others then: the start no longer
 * takes processors from these. Each sample takes a fresh process with one member; the other members are in a process that is warm.
 */
final class ColdStart {
    /** The name of what is measured here. */
    static final String COLD = "cold";

    /** The member of the fresh process, one that stays, and one that leaves and joins. */
    static final int MEMBERS = 3;

    private static final int CHANGES = 100;
    private static final int WARM_STARTS = 10;

    private final Plan plan;
    private final Progress progress;
    private final Results results;

    ColdStart(Plan plan, Progress progress, Results results) {
        this.plan = plan;
        this.progress = progress;
        this.results = results;
    }

    /** Measures all contestants that can be compared. */
    void run() throws Exception {
        Path data = Folders.temporary(plan.folder());
        try {
            for (Contestant contestant : plan.contestants()) {
                if (contestant == Contestant.RAW || contestant == Contestant.DISCOVERY) {
                    run(contestant, plan.cold(), data.resolve(contestant.key()));
                }
            }
        } finally {
            Folders.delete(data);
        }
    }

    private void run(Contestant contestant, int processes, Path folder) throws Exception {
        Files.createDirectories(folder);
        try (Servers servers = Servers.start(plan.servers(), folder)) {
            String address = servers.connectString();
            try (RemoteGroup warm = new RemoteGroup(contestant, address, folder.resolve("warm.log"))) {
                Others others = new Others(contestant, warm, plan.limit().toMillis());
                others.warmUp();
                for (int i = 0; i < processes; i++) {
                    progress.begin("cold: " + contestant.title() + ", process " + (i + 1) + " of " + processes);
                    try (RemoteGroup fresh =
                            new RemoteGroup(contestant, address, folder.resolve("fresh" + i + ".log"))) {
                        measure(contestant, others, fresh);
                    }
                    others.awaitTold();
                }
                for (int i = 0; i < (processes + 1) / 2; i++) {
                    progress.begin("cold: " + contestant.title() + ", rested process " + (i + 1));
                    try (RemoteGroup fresh =
                            new RemoteGroup(contestant, address, folder.resolve("rested" + i + ".log"))) {
                        measureRested(contestant, others, fresh);
                    }
                    others.awaitTold();
                }
            }
        }
        progress.print("cold: " + contestant.title() + " in " + processes + " fresh processes");
    }

    private void measure(Contestant contestant, Others others, RemoteGroup fresh) throws Exception {
        String id = others.newId();
        add(contestant, Quantity.COLD_START, start(others, fresh, id));
        ThreadTimes before = fresh.threadTimes();
        add(contestant, Quantity.FIRST_CHANGE, others.leave(fresh, id));
        ThreadTimes first = fresh.threadTimes().since(before);
        add(contestant, first, Quantity.FIRST_COMPILER, Quantity.FIRST_OTHERS, Quantity.FIRST_WAIT);
        others.join(fresh, id);
        double last = 0;
        for (int i = 0; i < WARM_STARTS; i++) {
            others.expect(MEMBERS - 1);
            fresh.leave(List.of(id));
            others.awaitTold();
            id = others.newId();
            last = start(others, fresh, id);
        }
        add(contestant, Quantity.WARM_START, last);
        others.expect(MEMBERS - 1);
    }

    private void measureRested(Contestant contestant, Others others, RemoteGroup fresh) throws IOException {
        String id = others.newId();
        start(others, fresh, id);
        Pauses.of(plan.idle());
        add(contestant, Quantity.RESTED_CHANGE, others.leave(fresh, id));
        others.join(fresh, id);
        for (int change = 2; change < CHANGES; change += 2) {
            others.leave(fresh, id);
            others.join(fresh, id);
        }
        ThreadTimes before = fresh.threadTimes();
        add(contestant, Quantity.HUNDREDTH_CHANGE, others.leave(fresh, id));
        ThreadTimes last = fresh.threadTimes().since(before);
        add(contestant, last, Quantity.HUNDREDTH_COMPILER, Quantity.HUNDREDTH_OTHERS, Quantity.HUNDREDTH_WAIT);
        others.join(fresh, id);
        others.expect(MEMBERS - 1);
    }

    /** Returns the time from the start of a member in the fresh process until it is told. */
    private static double start(Others others, RemoteGroup fresh, String id) throws IOException {
        others.expect(MEMBERS);
        fresh.begin(MEMBERS, Optional.empty(), List.of(id));
        long start = fresh.start(id);
        double millis = others.millis(fresh, start);
        others.awaitTold();
        return millis;
    }

    private void add(Contestant contestant, ThreadTimes times, Quantity compiler, Quantity others, Quantity wait) {
        add(contestant, compiler, times.compiler());
        add(contestant, others, times.others());
        add(contestant, wait, times.waited());
    }

    private void add(Contestant contestant, Quantity quantity, double millis) {
        results.add(COLD, MEMBERS, contestant, quantity, millis);
    }

    /** The members in the warm process: one stays, and one leaves and joins. */
    private static final class Others {
        private static final int WARM_UP = 50;

        private final Contestant contestant;
        private final RemoteGroup group;
        private final long limitMillis;
        private final String stays;
        private String changes;
        private int next;

        Others(Contestant contestant, RemoteGroup group, long limitMillis) throws IOException {
            this.contestant = contestant;
            this.group = group;
            this.limitMillis = limitMillis;
            stays = newId();
            changes = newId();
            group.connect(List.of(stays));
            group.connect(List.of(changes));
            group.begin(2, Optional.empty(), List.of(stays, changes));
            group.join(List.of(stays));
            group.join(List.of(changes));
            awaitTold();
        }

        String newId() {
            return MemberIds.of(contestant, next++, false);
        }

        void warmUp() throws IOException {
            for (int i = 0; i < WARM_UP; i++) {
                group.begin(1, Optional.empty(), List.of(stays));
                group.leave(List.of(changes));
                awaitTold();
                changes = newId();
                group.connect(List.of(changes));
                group.begin(2, Optional.empty(), List.of(stays, changes));
                group.join(List.of(changes));
                awaitTold();
            }
        }

        /** Makes one of them leave, and returns the time until the fresh member is told. */
        double leave(RemoteGroup fresh, String id) throws IOException {
            group.begin(MEMBERS - 1, Optional.empty(), List.of(stays));
            fresh.begin(MEMBERS - 1, Optional.empty(), List.of(id));
            double millis = millis(fresh, group.leave(List.of(changes)));
            awaitTold();
            return millis;
        }

        void join(RemoteGroup fresh, String id) throws IOException {
            changes = newId();
            group.connect(List.of(changes));
            expect(MEMBERS);
            fresh.begin(MEMBERS, Optional.empty(), List.of(id));
            millis(fresh, group.join(List.of(changes)));
            awaitTold();
        }

        /** Prepares both for a change of the fresh process. */
        void expect(int size) throws IOException {
            group.begin(size, Optional.empty(), List.of(stays, changes));
        }

        double millis(RemoteGroup fresh, long start) throws IOException {
            return (settled(fresh).last() - start) / 1e6;
        }

        void awaitTold() throws IOException {
            settled(group);
        }

        private Recorder.Told settled(RemoteGroup told) throws IOException {
            Recorder.Told all = told.await(limitMillis);
            if (!all.complete()) {
                throw new IOException(contestant.title() + " does not settle while processes are started");
            }
            return all;
        }
    }
}
