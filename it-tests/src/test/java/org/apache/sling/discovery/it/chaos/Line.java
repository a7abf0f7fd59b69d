// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;

/** A line of a recording: values with tabs in between, which are the components of a record in order; lists have commas. */
record Line(List<String> values) {

    static Line of(String text) {
        return new Line(List.of(text.split("\t", -1)));
    }

    /** Returns the line of a record. */
    static String text(Record values) {
        return Stream.of(values.getClass().getRecordComponents())
                .map(component -> component(component, values))
                .map(value -> value instanceof Record nested
                        ? text(nested)
                        : value instanceof List<?> list
                                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                                : String.valueOf(value))
                .collect(Collectors.joining("\t"));
    }

    private static Object component(RecordComponent component, Record of) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    String kind() {
        return values.get(0);
    }

    /** Returns the values after the kind, with the process before them. */
    Line after(String process) {
        List<String> more = new ArrayList<>(values);
        more.set(0, process);
        return new Line(more);
    }

    <T extends Record> T as(Class<T> type) {
        Deque<String> left = new ArrayDeque<>(values);
        T made = type.cast(read(type, left));
        if (!left.isEmpty()) {
            throw new IllegalArgumentException(values + " has more than a " + type.getSimpleName());
        }
        return made;
    }

    private static Object read(Type type, Deque<String> left) {
        if (type instanceof Class<?> record && record.isRecord()) {
            RecordComponent[] components = record.getRecordComponents();
            Object[] made = Arrays.stream(components)
                    .map(each -> read(each.getGenericType(), left))
                    .toArray();
            try {
                Class<?>[] types =
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
                var constructor = record.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return constructor.newInstance(made);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        String text = left.remove();
        if (type instanceof ParameterizedType list) {
            return Stream.of(text.split(","))
                    .filter(each -> !each.isEmpty())
                    .map(each -> value(list.getActualTypeArguments()[0], each))
                    .toList();
        }
        return value(type, text);
    }

    private static Object value(Type type, String text) {
        if (type == long.class) {
            return Long.parseLong(text);
        } else if (type == int.class) {
            return Integer.parseInt(text);
        } else if (type == double.class) {
            return Double.parseDouble(text);
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        }
        return type == TopologyEvent.Type.class ? TopologyEvent.Type.valueOf(text) : text;
    }

    @Override
    public String toString() {
        return String.join(" ", values);
    }
}
