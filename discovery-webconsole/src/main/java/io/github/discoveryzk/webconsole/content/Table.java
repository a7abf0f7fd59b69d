// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A table, each column with the function that makes its cells. Immutable: a method that adds returns another table.
 *
 * @param styleClass how the style sheet identifies the table; may be empty
 * @param rows what has a row each
 * @param columns the columns
 * @param marks attributes by which styles and scripts find a row, by name
 * @param rest what is not listed; empty if all is
 */
public record Table<T>(
        String styleClass, List<T> rows, List<Column<T>> columns, Map<String, Function<T, String>> marks, String rest)
        implements Part {

    /**
     * A column.
     *
     * @param name its heading
     * @param kind what its cells are
     * @param cell makes the cell of a row
     */
    public record Column<T>(String name, Kind kind, Function<T, Line> cell) {}

    /** What the cells of a column are. */
    public enum Kind {
        /** The heading of the row. */
        HEADING,
        PLAIN,
        NUMBER,
        /** Sentences, which need space. */
        WIDE
    }

    /** Returns a table without columns. */
    public static <T> Table<T> of(String styleClass, List<T> rows) {
        return new Table<>(styleClass, rows, List.of(), Map.of(), "");
    }

    /** Returns a table without columns that has at most a number of rows, and counts the others. */
    public static <T> Table<T> of(String styleClass, List<T> rows, int max, String noun) {
        int more = rows.size() - max;
        return more <= 0
                ? of(styleClass, rows)
                : new Table<>(
                        styleClass,
                        rows.subList(0, max),
                        List.of(),
                        Map.of(),
                        "Not listed: " + Phrases.count(more, "further " + noun) + ".");
    }

    public Table<T> heading(String name, Function<T, Line> cell) {
        return with(new Column<>(name, Kind.HEADING, cell));
    }

    public Table<T> column(String name, Function<T, Line> cell) {
        return with(new Column<>(name, Kind.PLAIN, cell));
    }

    public Table<T> wide(String name, Function<T, Line> cell) {
        return with(new Column<>(name, Kind.WIDE, cell));
    }

    /** Adds a column of numbers and other short texts. */
    public Table<T> number(String name, Function<T, Object> number) {
        return with(new Column<>(name, Kind.NUMBER, row -> Line.line().text(String.valueOf(number.apply(row)))));
    }

    private Table<T> with(Column<T> column) {
        return new Table<>(
                styleClass,
                rows,
                Stream.concat(columns.stream(), Stream.of(column)).toList(),
                marks,
                rest);
    }

    /** Adds an attribute of the rows. The attribute {@code id} identifies a row while the page is updated. */
    public Table<T> mark(String name, Function<T, String> value) {
        Map<String, Function<T, String>> all = new TreeMap<>(marks);
        all.put(name, value);
        return new Table<>(styleClass, rows, columns, all, rest);
    }
}
