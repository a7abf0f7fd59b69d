// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.DataStore.Write;
import io.github.discoveryzk.testing.laws.DataLaws;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.laws.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyView;

/**
 * Instances of a simulation read and write shared data all the time, until the end of the history: with what they have seen, which may be
 * old, and with their last leadership, which may be over. Checks L18 to L23; that data delays nothing is what all other laws say of the
 * same histories.
 */
final class DataWorkload {

    private static final int PAUSE_MILLIS = 250;

    /** How long an instance that nothing disturbs may show what a member that is gone has owned. */
    private static final long SHOWN_MILLIS = 2_000;

    private static final String OWNED = "owned";
    private static final List<String> NAMES = List.of("x", "y");

    private final Simulation simulation;
    private final Random random;
    private final Laws laws;
    private final DataLaws dataLaws;
    private final Map<SimulatedInstance, LeaderLease> leases = new HashMap<>();
    private final Map<String, Optional<Versioned<String>>> read = new HashMap<>();
    private final Map<Long, String> owners = new HashMap<>();
    private final Map<String, Long> goneAt = new HashMap<>();
    private int writes;

    DataWorkload(Simulation simulation, Random random, Laws laws) {
        this.simulation = simulation;
        this.random = random;
        this.laws = laws;
        this.dataLaws = new DataLaws(laws);
    }

    void begin() {
        simulation.ensemble.onDataWrite(this::written);
        next();
    }

    private void next() {
        simulation.time.after(random.nextInt(PAUSE_MILLIS), () -> {
            List<SimulatedInstance> running = simulation.running();
            if (!running.isEmpty()) {
                SimulatedInstance one = running.get(random.nextInt(running.size()));
                one.process.after(0, () -> act(one));
            }
            simulation.checks.runCheck(() -> running.forEach(this::checkShown));
            next();
        });
    }

    private static SharedValue<String> value(SimulatedInstance one, String name) {
        return one.instance.data().value("app", name, DataKind.TEXT);
    }

    private static SharedMap<String> map(SimulatedInstance one) {
        return one.instance.data().map("app", "m", DataKind.TEXT);
    }

    /** Seldom written, so that its entries are hidden because their owner goes and not because another is written. */
    private static SharedMap<String> ownedMap(SimulatedInstance one) {
        return one.instance.data().map("app", OWNED, DataKind.TEXT);
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private void act(SimulatedInstance one) {
        if (!one.isRunning()) {
            return;
        }
        String name = name();
        SharedValue<String> value = value(one, name);
        SharedMap<String> map = map(one);
        Optional<Versioned<String>> entry = Optional.ofNullable(map.entries().get(name));
        LeaderLease.of(one.instance.getTopology()).ifPresent(lease -> leases.put(one, lease));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> replace(one, name, value.get());
            case 3, 4 -> Optional.ofNullable(leases.get(one))
                    .ifPresent(lease -> replace(one, name, value.get(), lease));
            case 5 -> value.get().filter(seen -> random.nextInt(3) == 0).ifPresent(value::clear);
            case 6, 7 -> {
                String text = begin(one, entryPlace(name), entry);
                completed(one, entryPlace(name), text, map.replace(name, entry, text));
            }
            case 8 -> entry.ifPresent(seen -> map.remove(name, seen));
            default -> {
                String owned = "of " + (random.nextBoolean() ? one.id : "any");
                if (random.nextInt(3) > 0) {
                    ownedMap(one).own(owned, one + " owns " + writes++);
                } else {
                    ownedMap(one).disown(owned);
                }
            }
        }
    }

    private void replace(SimulatedInstance one, String name, Optional<Versioned<String>> seen, Fence... fences) {
        String place = valuePlace(name);
        // Applications may have waited since they have seen it.
        Optional<Versioned<String>> old =
                Optional.ofNullable(read.put(one + place, seen)).flatMap(before -> before);
        Optional<Versioned<String>> over = random.nextInt(4) == 0 ? old : seen;
        String text = begin(one, place, over);
        completed(one, place, text, value(one, name).replace(over, text, fences));
    }

    private String begin(SimulatedInstance one, String place, Optional<Versioned<String>> seen) {
        String text = one + " writes " + writes++;
        dataLaws.begun(text, place, seen.map(Versioned::version).orElse(0L));
        simulation.leaveRecord(() -> text + " to " + place + " over " + seen);
        return text;
    }

    private void completed(SimulatedInstance one, String place, String text, CompletionStage<Written<String>> stage) {
        stage.thenAccept(result -> simulation.checks.runCheck(() -> {
            simulation.leaveRecord(() -> text + ": " + result);
            dataLaws.completed(text, result);
            if (result instanceof Written.Done && isPresent(place)) {
                dataLaws.showsOwn(text, place, shown(one).get(place));
            }
        }));
    }

    /** The id of the cluster is part of a place: what was written before the tree was deleted counts no more. */
    private String valuePlace(String name) {
        return simulation.ensemble.clusterId() + " value " + name;
    }

    private String entryPlace(String key) {
        return simulation.ensemble.clusterId() + " entry " + key;
    }

    private boolean isPresent(String place) {
        return place.startsWith(simulation.ensemble.clusterId() + " ");
    }

    private Map<String, Optional<Versioned<String>>> shown(SimulatedInstance one) {
        Map<String, Optional<Versioned<String>>> all = new HashMap<>();
        NAMES.forEach(name -> {
            all.put(valuePlace(name), value(one, name).get());
            all.put(entryPlace(name), Optional.empty());
        });
        map(one).entries().forEach((key, entry) -> all.put(entryPlace(key), Optional.of(entry)));
        ownedMap(one).entries().forEach((key, entry) -> all.put(entryPlace(OWNED + key), Optional.of(entry)));
        return all;
    }

    private void written(Write write, long replaced, long version) {
        simulation.checks.runCheck(() -> {
            String place = write.address().map()
                    ? entryPlace((write.address().name().equals(OWNED) ? OWNED : "") + write.key())
                    : valuePlace(write.address().name());
            String text = write.next().map(record -> (String) record.value()).orElse("a removal");
            simulation.leaveRecord(() -> text + " takes effect at " + place + " as " + version);
            write.next().flatMap(DataRecord::owner).ifPresent(owner -> owners.put(version, owner));
            dataLaws.tookEffect(
                    text,
                    place,
                    replaced,
                    write.next().isPresent() ? version : 0,
                    write.next().map(DataRecord::token).orElse(OptionalLong.empty()),
                    simulation.checks.chain().newest().stream()
                            .mapToLong(View::token)
                            .findFirst());
        });
    }

    /** An instance has received a view: it reads what earlier leaders have written. */
    void settled(SimulatedInstance one, TopologyView view) {
        long token = simulation
                .checks
                .chain()
                .view(Checks.number(view))
                .map(View::token)
                .orElse(0L);
        NAMES.forEach(name -> {
            String place = valuePlace(name);
            long inherited = dataLaws.inherited(place, token);
            value(one, name)
                    .read()
                    .thenAccept(read -> simulation.checks.runCheck(() -> {
                        if (isPresent(place)) {
                            dataLaws.reads(one.toString(), place, inherited, read);
                        }
                    }));
        });
    }

    private void checkShown(SimulatedInstance one) {
        long now = simulation.time.now();
        Set<String> live =
                simulation.ensemble.members().stream().map(Member::node).collect(Collectors.toSet());
        live.forEach(goneAt::remove);
        shown(one)
                .forEach((place, shown) -> shown.ifPresent(each -> {
                    Optional.ofNullable(owners.get(each.version()))
                            .filter(owner -> !live.contains(owner))
                            .ifPresent(owner -> {
                                long since = goneAt.computeIfAbsent(owner, any -> now);
                                laws.check(
                                        now - since < SHOWN_MILLIS
                                                || !one.reachesStoreSince(since)
                                                || Math.max(one.ailsUntil(), one.blindUntil) >= since,
                                        Laws.OWNED,
                                        () -> one + " shows " + each + " although " + owner + " has gone");
                            });
                    if (map(one).isKnown() && value(one, NAMES.get(0)).isKnown()) {
                        dataLaws.shows(one.toString(), place, each);
                    }
                }));
    }
}
