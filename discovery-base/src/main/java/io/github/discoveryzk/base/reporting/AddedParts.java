// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Startup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What other bundles of the container say of their parts. One that fails says nothing, and is named. */
record AddedParts(Supplier<List<AddedSection>> sections) {

    Stream<Finding> findings() {
        return sections.get().stream()
                .flatMap(section -> ask(
                        section,
                        each -> each.findings().stream(),
                        failure -> Finding.warnings(Concern.OTHER, Stream.of(failure))));
    }

    Optional<String> whyUnreachable() {
        return sections.get().stream()
                .map(section -> ask(section, AddedSection::whyUnreachable, Optional::of))
                .flatMap(Optional::stream)
                .findFirst();
    }

    List<Metric> metrics() {
        return sections.get().stream()
                .flatMap(section -> ask(section, each -> each.metrics().stream(), failure -> Stream.empty()))
                .toList();
    }

    /** Returns the first part that has not started; one that founds something comes first, because the others wait for that. */
    Startup startup() {
        List<Startup> all = sections.get().stream()
                .map(section -> ask(section, AddedSection::startup, failure -> Startup.OVER))
                .filter(each -> each.stage() != Startup.Stage.STARTED)
                .toList();
        return all.stream()
                .filter(Startup::isReady)
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElse(Startup.OVER);
    }

    Stream<String> objections() {
        return sections.get().stream().flatMap(section -> ask(section, each -> each.objections().stream(), Stream::of));
    }

    Map<String, String> lateRestarts() {
        Map<String, String> all = new TreeMap<>();
        sections.get().forEach(section -> all.putAll(ask(section, AddedSection::lateRestarts, failure -> Map.of())));
        return all;
    }

    private static <T> T ask(AddedSection section, Function<AddedSection, T> question, Function<String, T> failed) {
        try {
            return question.apply(section);
        } catch (RuntimeException e) {
            return failed.apply("What " + section.getClass().getName() + " says cannot be read: " + e);
        }
    }
}
