// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.properties;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;

/**
 * The names that a provider offers, read from its service property {@link PropertyProvider#PROPERTY_PROPERTIES}.
 *
 * @param legal the names to use
 * @param problems the problems of the others, a sentence each
 */
record PropertyNames(List<String> legal, List<String> problems) {

    private static final int MAX_CHARACTERS = 200;
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1," + MAX_CHARACTERS + "}");

    /** Reads a text, an array or a collection of texts; anything else is a problem. */
    static PropertyNames of(Object value, String provider) {
        if (value instanceof String name) {
            return of(Stream.of(name), provider);
        }
        if (value instanceof Object[] names) {
            return of(Stream.of(names), provider);
        }
        if (value instanceof Collection<?> names) {
            return of(names.stream(), provider);
        }
        String found = value == null ? "is missing" : "is a " + value.getClass().getName();
        return new PropertyNames(
                List.of(),
                List.of(provider + ": service property " + PropertyProvider.PROPERTY_PROPERTIES + " " + found
                        + "; give a String, a String[] or a collection of String"));
    }

    private static PropertyNames of(Stream<?> names, String provider) {
        List<String> all = names.map(name -> Objects.toString(name, ""))
                .map(String::trim)
                .distinct()
                .toList();
        return new PropertyNames(
                all.stream().filter(PropertyNames::isLegal).toList(),
                all.stream()
                        .filter(name -> !isLegal(name))
                        .map(name -> provider + ": property name \""
                                + name.substring(0, Math.min(MAX_CHARACTERS, name.length())) + "\" of "
                                + name.length() + " characters is ignored; use 1 to " + MAX_CHARACTERS
                                + " letters, digits, dots, underscores and hyphens")
                        .toList());
    }

    private static boolean isLegal(String name) {
        return LEGAL.matcher(name).matches();
    }
}
