// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The fields of an object, read by reflection, so that none is forgotten when it is copied or compared. */
final class Fields {

    private static final Map<Class<?>, List<Field>> KNOWN = new ConcurrentHashMap<>();

    private Fields() {}

    /** Returns the fields of a class in their order. */
    static List<Field> of(Class<?> type) {
        return KNOWN.computeIfAbsent(type, Fields::list);
    }

    private static List<Field> list(Class<?> type) {
        List<Field> all = Stream.of(type.getDeclaredFields())
                .filter(field -> !field.isSynthetic() && !Modifier.isStatic(field.getModifiers()))
                .toList();
        all.forEach(field -> field.setAccessible(true));
        return all;
    }

    static Object read(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives one object the values of all fields of another, and returns it. */
    static <T> T copy(T from, T to) {
        try {
            for (Field field : of(from.getClass())) {
                field.set(to, field.get(from));
            }
            return to;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
