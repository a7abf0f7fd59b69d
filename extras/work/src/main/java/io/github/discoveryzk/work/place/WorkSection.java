// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.work.place.Job.Call;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Assignment.Holding;
import io.github.discoveryzk.work.rules.Participant;
import io.github.discoveryzk.work.rules.Participant.Id;
import io.github.discoveryzk.work.rules.WorkKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who handles what, and what delays it. */
final class WorkSection implements AddedSection {

    /** So many keys are named in a sentence. */
    private static final int NAMED = 20;

    private static final Comparator<Job> OLDEST = Comparator.comparingLong(job -> job.calledAt);

    private final String instanceId;
    private final LongSupplier clock;
    private final Agent agent;
    private final Supplier<Assignment> record;
    private final Supplier<Stream<String>> problems;
    private final Supplier<Stream<Participant>> participants;

    WorkSection(
            String instanceId,
            LongSupplier clock,
            Agent agent,
            Supplier<Assignment> record,
            Supplier<Stream<String>> problems,
            Supplier<Stream<Participant>> participants) {
        this.participants = participants;
        this.instanceId = instanceId;
        this.clock = clock;
        this.agent = agent;
        this.record = record;
        this.problems = problems;
    }

    @Override
    public Content content() {
        Map<WorkKey, Holding> holdings = record.get().holdings();
        Map<WorkKey, Job> jobs = agent.jobs();
        List<String> sentences = new ArrayList<>();
        if (!holdings.isEmpty()) {
            List<WorkKey> moving = holdings.keySet().stream()
                    .filter(key -> isHere(holdings.get(key).owner()))
                    .toList();
            sentences.add(holdings.size() + " keys, each with one owner. If this instance stops, " + moving.size()
                    + " of them move" + names(moving) + ".");
        }
        return new Content(
                "Work",
                sentences,
                List.of("Set", "Key", "Owner", "Token", "State"),
                holdings.entrySet().stream()
                        .map(each -> List.of(
                                each.getKey().set(),
                                each.getKey().key(),
                                each.getValue().owner().instanceId(),
                                String.valueOf(each.getValue().since()),
                                state(each.getValue(), Optional.ofNullable(jobs.get(each.getKey())))))
                        .toList());
    }

    private static String names(List<WorkKey> keys) {
        return keys.isEmpty()
                ? ""
                : keys.stream()
                        .limit(NAMED)
                        .map(WorkKey::toString)
                        .collect(Collectors.joining(", ", ": ", keys.size() > NAMED ? " …" : ""));
    }

    private String state(Holding holding, Optional<Job> job) {
        String waits = job.filter(each -> each.call != Call.NONE)
                .map(each -> "waits for " + called(each) + since(each))
                .orElse("waits for " + holding.owner().instanceId());
        return holding.next()
                .map(next -> "being handed over from " + holding.owner().instanceId() + " to " + next.instanceId()
                        + ", " + waits)
                .orElseGet(() -> job.filter(each -> each.call != Call.NONE)
                        .map(each -> waits)
                        .orElse("owned"));
    }

    private static String called(Job job) {
        return (job.call == Call.END ? "end" : "begin") + " of "
                + job.offer.name().get();
    }

    private String since(Job job) {
        return " for " + (clock.getAsLong() - job.calledAt) / 1_000 + " s";
    }

    private static String some(Collection<WorkKey> keys) {
        return keys.size() + ", such as " + keys.iterator().next();
    }

    /** The keys of the container that stops next can come here only once this one offers them. */
    @Override
    public Startup startup() {
        return agent.isToOffer()
                ? new Startup(
                        Startup.Stage.STARTING, "The other members are still reading which keys this instance offers.")
                : Startup.OVER;
    }

    @Override
    public List<String> objections() {
        Set<WorkKey> elsewhere = participants
                .get()
                .filter(each -> !each.id().instanceId().equals(instanceId))
                .flatMap(each -> each.keys().stream())
                .collect(Collectors.toSet());
        List<WorkKey> leaving = new ArrayList<>();
        List<WorkKey> homeless = new ArrayList<>();
        record.get().holdings().forEach((key, holding) -> {
            if (!isHere(holding.owner())) {
                return;
            } else if (holding.next().isPresent()) {
                leaving.add(key);
            } else if (!elsewhere.contains(key)) {
                homeless.add(key);
            }
        });
        List<String> objections = new ArrayList<>();
        if (!leaving.isEmpty()) {
            objections.add("Keys that this instance hands over: " + some(leaving) + ".");
        }
        if (!homeless.isEmpty()) {
            objections.add("Keys that no other instance offers: " + some(homeless) + "; they would have no owner.");
        }
        return objections;
    }

    @Override
    public List<Finding> findings() {
        Map<String, Map<WorkKey, Job>> hanging = hanging()
                .collect(Collectors.groupingBy(
                        each -> called(each.getValue()),
                        TreeMap::new,
                        Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, TreeMap::new)));
        Stream<String> waiting = hanging.entrySet().stream()
                .map(each -> "Keys that wait for " + each.getKey() + ": "
                        + some(each.getValue().keySet()) + ","
                        + since(Collections.min(each.getValue().values(), OLDEST))
                        + "; no other instance handles them before.");
        Map<WorkKey, Long> rests = new TreeMap<>(agent.rests());
        Stream<String> resting = Stream.of(rests)
                .filter(all -> !all.isEmpty())
                .map(all -> "Keys that could not begin here: " + some(all.keySet())
                        + "; this instance offers them again within " + (Collections.max(all.values()) / 1_000 + 1)
                        + " s.");
        return Finding.warnings(
                        Concern.OTHER,
                        Stream.of(problems.get(), waiting, resting, unplaced()).flatMap(each -> each))
                .toList();
    }

    @Override
    public List<Metric> metrics() {
        Collection<Holding> holdings = record.get().holdings().values();
        double owned =
                (double) holdings.stream().filter(each -> isHere(each.owner())).count();
        double awaited = (double) holdings.stream()
                .filter(each -> each.next().filter(this::isHere).isPresent())
                .count();
        return List.of(
                Metric.gauge("work_keys", "keys that this instance has", owned),
                Metric.gauge("work_awaited_keys", "keys that another instance is to hand over to this one", awaited),
                Metric.gauge("work_hanging_calls", "calls of workers that have not returned for five seconds", (double)
                        hanging().count()),
                new Metric(
                        "work_handed_over",
                        Metric.Type.COUNTER,
                        "keys that this instance has ended for another one",
                        "",
                        Map.of("", (double) agent.releases())));
    }

    private boolean isHere(Id id) {
        return id.instanceId().equals(instanceId);
    }

    private Stream<Map.Entry<WorkKey, Job>> hanging() {
        return agent.jobs().entrySet().stream()
                .filter(each -> each.getValue().call != Call.NONE
                        && clock.getAsLong() - each.getValue().calledAt >= Agent.NAMED_AFTER_MILLIS);
    }

    private Stream<String> unplaced() {
        int left = agent.unplaced().size();
        String why = record.get().holdings().size() + left > WorkKey.MOST
                ? "there are more than " + WorkKey.MOST + " keys"
                : "the leader may lack the bundle discovery-work, or the names of the keys are too long for one record";
        return left == 0
                ? Stream.empty()
                : Stream.of("Keys that this instance offers have no owner: " + left + "; " + why + ".");
    }
}
