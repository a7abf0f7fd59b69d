// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.DepartureNote;

/** The name of a departure note's node. It has the whole content, so that no instance needs to read the node. */
public final class DepartureNoteName {
    private DepartureNoteName() {}

    public static String of(DepartureNote note) {
        return word(note.kind()) + "." + note.node() + "." + note.by();
    }

    /** Parses a name; empty when it is not the name of a departure note, or has a kind that only a newer version knows. */
    public static Optional<DepartureNote> parse(String name) {
        String[] parts = name.split("\\.", -1);
        if (parts.length != 3 || !MemberName.isValid(parts[1]) || !MemberName.isValid(parts[2])) {
            return Optional.empty();
        }
        return kind(parts[0]).map(kind -> new DepartureNote(parts[1], kind, parts[2]));
    }

    /** Returns the member node of a departure note whose kind only a newer version knows; empty for all other names. */
    public static Optional<String> nodeOfUnknownKind(String name) {
        String[] parts = name.split("\\.", -1);
        boolean wellFormed = parts.length == 3 && MemberName.isValid(parts[1]) && MemberName.isValid(parts[2]);
        return wellFormed && kind(parts[0]).isEmpty() ? Optional.of(parts[1]) : Optional.empty();
    }

    /** Returns the word for a kind. */
    static String word(DepartureNote.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind for a word; empty when this version does not know it. */
    static Optional<DepartureNote.Kind> kind(String word) {
        return Arrays.stream(DepartureNote.Kind.values())
                .filter(one -> word(one).equals(word))
                .findFirst();
    }
}
