// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.model.ReasonCode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Records that differ from another one in a component, and records in which everything is there. */
public final class Records {
    private static final Set<String> DURATIONS = Set.of(
            "timeoutMillis",
            "changingMillis",
            "roundTripMillis",
            "busyMillis",
            "pingTimeoutMillis",
            "sessionTimeoutMillis");

    private Records() {}

    /** Returns a copy of a record with another value of a component, which it has itself or one of its components has. */
    public static <T extends Record> T with(T record, String name, Object value) {
        return replace(record, name, value)
                .orElseThrow(() -> new IllegalArgumentException(record.getClass() + " has no " + name));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Record> Optional<T> replace(T record, String name, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = Stream.of(components).map(each -> get(record, each)).toArray();
        for (int i = 0; i < components.length; i++) {
            if (components[i].getName().equals(name)) {
                values[i] = value;
                return Optional.of((T) make(record.getClass(), values));
            }
        }
        for (int i = 0; i < components.length; i++) {
            Optional<? extends Record> changed =
                    values[i] instanceof Record part ? replace(part, name, value) : Optional.empty();
            if (changed.isPresent()) {
                values[i] = changed.get();
                return Optional.of((T) make(record.getClass(), values));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns a record in which every text is the given one, every list has one element, every optional value is there and every
     * time is a millisecond before now.
     */
    public static <T> T filled(Class<T> type, String text) {
        return make(
                type,
                Stream.of(type.getRecordComponents())
                        .map(each -> value(each.getGenericType(), each.getName(), text))
                        .toArray());
    }

    private static Object value(Type type, String name, String text) {
        if (type instanceof ParameterizedType generic) {
            Object element = value(generic.getActualTypeArguments()[0], name, text);
            if (generic.getRawType() == Map.class) {
                return Map.of(text, text);
            }
            if (generic.getRawType() == Set.class) {
                return Set.of(element);
            }
            return generic.getRawType() == List.class ? List.of(element) : Optional.of(element);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return text;
        } else if (plain == boolean.class) {
            return true;
        } else if (plain == int.class) {
            return 1;
        } else if (plain == long.class) {
            return number(name);
        } else if (plain == OptionalLong.class) {
            return OptionalLong.of(number(name));
        } else if (plain == ReasonCode.class) {
            return ReasonCode.TEXT;
        } else if (plain.isEnum()) {
            Object[] constants = plain.getEnumConstants();
            return Stream.of(constants)
                    .filter(each -> each.toString().equals("SETTLED"))
                    .findFirst()
                    .orElse(constants[0]);
        }
        return filled(plain, text);
    }

    private static long number(String name) {
        if (name.equals("previous")) {
            return 0; // The number that follows is 1.
        }
        return name.toLowerCase(Locale.ROOT).endsWith("millis") && !DURATIONS.contains(name) ? Reports.NOW - 1 : 1;
    }

    private static Object get(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static <T> T make(Class<T> type, Object... values) {
        Class<?>[] types = Stream.of(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
