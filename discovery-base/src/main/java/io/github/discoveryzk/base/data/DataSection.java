// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Concern;
import io.github.discoveryzk.report.Health.Finding;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/** The shared data that this instance has opened, for the page; it has no content without any. */
record DataSection(DataService data) implements AddedSection {

    private static final int SHOWN = 100;

    @Override
    public Content content() {
        List<Copy<?>> copies = data.copies();
        List<String> sentences = copies.isEmpty()
                ? List.of()
                : List.of("What the bundles of this instance have opened: " + copies.size()
                        + " names. Secrets do not belong there.");
        return new Content(
                "Shared data",
                sentences,
                List.of("Scope", "Name", "Kind", "Value", "Version", "Writer", "Owned", "Written"),
                copies.stream().flatMap(DataSection::rows).toList());
    }

    private static Stream<List<String>> rows(Copy<?> copy) {
        String kind = copy.kind.name() + (copy.isKnown() ? "" : ", not up to date");
        if (copy.entries().isEmpty()) {
            return Stream.of(List.of(copy.address.scope(), copy.address.name(), kind, "", "", "", "", ""));
        }
        return copy.entries().entrySet().stream().map(each -> row(copy, kind, each.getKey(), each.getValue()));
    }

    private static List<String> row(Copy<?> copy, String kind, String key, Versioned<?> value) {
        String text = value.value().toString();
        return List.of(
                copy.address.scope(),
                copy.address.name() + (key.isEmpty() ? "" : ": " + key),
                kind,
                text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text,
                String.valueOf(value.version()),
                value.writer(),
                value.owned() ? "yes" : "no",
                Instant.ofEpochMilli(value.writtenMillis())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString());
    }

    @Override
    public List<Finding> findings() {
        return Finding.warnings(Concern.OTHER, data.copies().stream().flatMap(each -> each.problems().stream()))
                .toList();
    }
}
