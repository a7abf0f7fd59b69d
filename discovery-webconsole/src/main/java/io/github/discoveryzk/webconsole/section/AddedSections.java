// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.AddedSection.Content;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The sections of other bundles that have something to show. One that fails says so and hides no other.
 *
 * @param contents what they show
 * @param roles what instances do for them, in some words each, by id
 */
public record AddedSections(List<Content> contents, Map<String, List<String>> roles) {

    /** The section of shared data. */
    public static final String DATA = "shared-data";

    public static AddedSections of(List<AddedSection> added) {
        List<Content> contents = added.stream()
                .map(AddedSections::content)
                .filter(each -> !each.sentences().isEmpty() || !each.rows().isEmpty())
                .toList();
        Map<String, List<String>> roles = new TreeMap<>();
        added.forEach(each -> roles(each).forEach((id, role) -> roles.computeIfAbsent(id, any -> new ArrayList<>())
                .add(role)));
        return new AddedSections(contents, roles);
    }

    private static Map<String, String> roles(AddedSection added) {
        try {
            return added.roles();
        } catch (RuntimeException e) {
            // Its content says why.
            return Map.of();
        }
    }

    private static Content content(AddedSection added) {
        try {
            return added.content();
        } catch (RuntimeException e) {
            return new Content(
                    "A section of another bundle", List.of("It cannot be shown: " + e), List.of(), List.of());
        }
    }

    /** Returns the titles of the sections. */
    public List<String> titles() {
        return contents.stream().map(Content::title).toList();
    }

    /** Returns one section with the rows that match, and with the names of instances. */
    public Optional<Section> section(String name, Predicate<List<String>> rows, InstanceNames names) {
        return contents.stream()
                .filter(each -> name(each.title()).equals(name))
                .findFirst()
                .map(each -> new Section(
                        "dz-" + name,
                        each.title(),
                        parts(each, each.rows().stream().filter(rows).toList(), names)));
    }

    /** Returns the name by which an address and a command find a section. */
    public static String name(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    private static List<Part> parts(Content content, List<List<String>> rows, InstanceNames names) {
        List<Part> parts = new ArrayList<>();
        content.sentences().forEach(each -> parts.add(new Section.Note(names.named(each))));
        if (!rows.isEmpty()) {
            Table<List<String>> table =
                    Table.of("dz-added", rows).heading(content.columns().get(0), row -> line().foreign(row.get(0)));
            for (int i = 1; i < content.columns().size(); i++) {
                int column = i;
                table = table.column(content.columns().get(i), row -> line().foreign(names.named(row.get(column))));
            }
            parts.add(table);
        }
        return parts;
    }
}
