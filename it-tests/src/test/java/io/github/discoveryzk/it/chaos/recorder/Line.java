// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;

/** The line of an entry: its name, and its components in order with tabs in between; lists have commas. */
public final class Line {

    private Line() {}

    /** Returns the line of an entry. */
    public static String of(Record entry) {
        return entry.getClass().getSimpleName() + "\t" + text(entry);
    }

    private static String text(Object value) {
        if (value instanceof Record nested) {
            return Stream.of(nested.getClass().getRecordComponents())
                    .map(component -> text(call(() -> component.getAccessor().invoke(nested))))
                    .collect(Collectors.joining("\t"));
        }
        return value instanceof List<?> list
                ? list.stream().map(Line::text).collect(Collectors.joining(","))
                : String.valueOf(value).replaceAll("\\s+", " ");
    }

    /** Returns the entry of a line. */
    public static Record read(String line) {
        Deque<String> left = new ArrayDeque<>(List.of(line.split("\t", -1)));
        String type = Entry.class.getName() + "$" + left.remove();
        Record entry = (Record) value((Type) call(() -> Class.forName(type)), left);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("more than an entry: " + line);
        }
        return entry;
    }

    private static Object value(Type type, Deque<String> left) {
        if (type instanceof Class<?> record && record.isRecord()) {
            RecordComponent[] components = record.getRecordComponents();
            Object[] values = Stream.of(components)
                    .map(each -> value(each.getGenericType(), left))
                    .toArray();
            Class<?>[] types =
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return call(() -> record.getConstructor(types).newInstance(values));
        }
        String text = left.remove();
        if (type instanceof ParameterizedType list) {
            return Stream.of(text.split(","))
                    .filter(each -> !each.isEmpty())
                    .map(each -> simple(list.getActualTypeArguments()[0], each))
                    .toList();
        }
        return simple(type, text);
    }

    private static Object simple(Type type, String text) {
        if (type == long.class) {
            return Long.parseLong(text);
        } else if (type == int.class) {
            return Integer.parseInt(text);
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        }
        return type == TopologyEvent.Type.class ? TopologyEvent.Type.valueOf(text) : text;
    }

    private static <T> T call(Callable<T> reflection) {
        try {
            return reflection.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
