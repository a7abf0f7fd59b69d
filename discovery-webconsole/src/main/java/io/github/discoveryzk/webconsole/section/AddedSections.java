// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Table;
import java.util.ArrayList;
import java.util.List;

/** The sections of other bundles. */
public final class AddedSections {
    private AddedSections() {}

    /** Returns the sections; one that fails says so and hides no other. */
    public static List<Section> of(List<AddedSection> added) {
        List<Section> all = new ArrayList<>();
        for (AddedSection each : added) {
            all.add(section("dz-added-" + all.size(), each));
        }
        return all;
    }

    private static Section section(String id, AddedSection added) {
        try {
            AddedSection.Content content = added.content();
            return new Section(id, content.title(), parts(content));
        } catch (RuntimeException e) {
            return new Section(
                    id, "A section of another bundle", List.of(new Section.Note("It cannot be shown: " + e)));
        }
    }

    private static List<Part> parts(AddedSection.Content content) {
        List<Part> parts = new ArrayList<>();
        content.sentences().forEach(each -> parts.add(new Section.Note(each)));
        if (!content.rows().isEmpty()) {
            Table<List<String>> table = Table.of("dz-added", content.rows())
                    .heading(content.columns().get(0), row -> line().foreign(row.get(0)));
            for (int i = 1; i < content.columns().size(); i++) {
                int column = i;
                table = table.column(content.columns().get(i), row -> line().foreign(row.get(column)));
            }
            parts.add(table);
        }
        return parts;
    }
}
