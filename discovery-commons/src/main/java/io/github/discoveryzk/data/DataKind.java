// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The kind of a value: a text, a whole number, a truth value, or a list, a set or a map of values of one kind. It is stored with the value,
 * so that each reader can show it. Values never have null parts.
 */
public final class DataKind<T> {

    public static final DataKind<String> TEXT = scalar("text", String.class);
    public static final DataKind<Long> NUMBER = scalar("number", Long.class);
    public static final DataKind<Boolean> FLAG = scalar("flag", Boolean.class);

    private final String name;
    private final Function<Object, T> copy;

    private DataKind(String name, Function<Object, T> copy) {
        this.name = name;
        this.copy = copy;
    }

    private static <T> DataKind<T> scalar(String name, Class<T> type) {
        return new DataKind<>(name, type::cast);
    }

    public static <E> DataKind<List<E>> listOf(DataKind<E> element) {
        return new DataKind<>(
                "list of " + element.name,
                value -> Collections.unmodifiableList(element.copies((Collection<?>) value, new ArrayList<>())));
    }

    /** Returns the kind of sets, in the order in which they are written. */
    public static <E> DataKind<Set<E>> setOf(DataKind<E> element) {
        return new DataKind<>(
                "set of " + element.name,
                value -> Collections.unmodifiableSet(element.copies((Collection<?>) value, new LinkedHashSet<>())));
    }

    /** Returns the kind of maps with texts as keys, in the order in which they are written. */
    public static <E> DataKind<Map<String, E>> mapOf(DataKind<E> element) {
        return new DataKind<>("map of " + element.name, value -> {
            Map<String, E> copies = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((key, each) -> copies.put((String) key, element.of(each)));
            return Collections.unmodifiableMap(copies);
        });
    }

    private <C extends Collection<T>> C copies(Collection<?> values, C target) {
        values.forEach(each -> target.add(of(each)));
        return target;
    }

    /** Returns the name that is stored with the value. */
    public String name() {
        return name;
    }

    /**
     * Returns an unmodifiable copy of a value, also of one that was read from a store: texts, {@link Long}, {@link Boolean}, collections and maps of them.
     *
     * @throws IllegalArgumentException if it is not of this kind
     */
    public T of(Object value) {
        try {
            T copied = copy.apply(value);
            if (copied != null) {
                return copied;
            }
        } catch (ClassCastException e) {
            // Said below.
        }
        throw new IllegalArgumentException("it is not a " + name);
    }

    @Override
    public String toString() {
        return name;
    }
}
