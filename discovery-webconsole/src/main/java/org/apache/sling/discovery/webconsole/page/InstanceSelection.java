// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * Which instances the table shows, and in which order.
 *
 * @param search selects instances with this text in their name, id, host or process; empty for all
 * @param column the column to sort by
 * @param descending whether the greatest value is the first
 */
public record InstanceSelection(String search, Column column, boolean descending) {
    static final String SEARCH = "q";
    static final String SORT = "sort";

    private static final String DESCENDING = "-";

    /** All instances in their order. */
    static final InstanceSelection ALL = new InstanceSelection("", Column.POSITION, false);

    /** The columns that can be sorted. */
    enum Column {
        POSITION,
        NAME,
        STATE,
        HOST,
        JOINED,
        PROPERTIES;

        String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads the parameters of a request.
     *
     * @param parameter returns the value of a parameter, or null
     */
    public static InstanceSelection of(UnaryOperator<String> parameter) throws InvalidParameter {
        String search = Objects.requireNonNullElse(parameter.apply(SEARCH), "").strip();
        String sort = Objects.requireNonNullElse(parameter.apply(SORT), "");
        boolean descending = sort.startsWith(DESCENDING);
        return new InstanceSelection(search, column(descending ? sort.substring(1) : sort, sort), descending);
    }

    private static Column column(String name, String value) throws InvalidParameter {
        if (value.isEmpty()) {
            return Column.POSITION;
        }
        for (Column each : Column.values()) {
            if (each.value().equals(name)) {
                return each;
            }
        }
        throw new InvalidParameter(SORT, value, "the table has no such column", "-joined");
    }

    boolean isDefault() {
        return equals(ALL);
    }

    /** Returns the selection by which a click on the heading of a column sorts: the same column turns around. */
    InstanceSelection sortedBy(Column other) {
        return new InstanceSelection(search, other, other == column && !descending);
    }

    /** Returns the query of an address with this selection, empty for the default. */
    String sort() {
        return (descending ? DESCENDING : "") + column.value();
    }

    List<Instance> select(List<Instance> instances, InstanceNames names) {
        String wanted = search.toLowerCase(Locale.ROOT);
        Comparator<Instance> order = comparator(names);
        return instances.stream()
                .filter(instance -> wanted.isEmpty()
                        || words(instance, names).toLowerCase(Locale.ROOT).contains(wanted))
                .sorted(descending ? order.reversed() : order)
                .toList();
    }

    /** Returns the text in which the search looks. */
    static String words(Instance instance, InstanceNames names) {
        return names.name(instance.id()).map(name -> name + " ").orElse("") + instance.id() + " " + instance.host()
                + ":" + instance.pid();
    }

    private Comparator<Instance> comparator(InstanceNames names) {
        Comparator<Instance> byPosition = Comparator.comparingInt(Instance::position);
        return switch (column) {
            case POSITION -> byPosition;
            case STATE -> Comparator.comparing(
                            (Instance instance) -> instance.status().state())
                    .thenComparing(byPosition);
            case NAME -> Comparator.comparing(
                            (Instance instance) -> names.name(instance.id()).orElse(instance.id()),
                            String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(byPosition);
            case HOST -> Comparator.comparing(Instance::host, String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(byPosition);
            case JOINED -> Comparator.comparingLong(Instance::joinedMillis).thenComparing(byPosition);
            case PROPERTIES -> Comparator.comparingInt(
                            (Instance instance) -> instance.properties().size())
                    .thenComparing(byPosition);
        };
    }
}
