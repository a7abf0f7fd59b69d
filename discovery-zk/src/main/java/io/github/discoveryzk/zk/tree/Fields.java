// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.ForeignText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The fields of a JSON object, in their order: texts, numbers, truth values, lists and other objects. A field that is null counts as
 * missing. What has another type than its reader expects makes the record unreadable.
 */
public final class Fields {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Returns the fields of a new record in a format. */
    static Fields ofFormat(int format) {
        return new Fields().put(Formats.FIELD, format);
    }

    static Fields of(Map<String, String> texts) {
        Fields fields = new Fields();
        fields.values.putAll(texts);
        return fields;
    }

    /** Puts a field: null is stored as null, and an empty optional is not stored. */
    public Fields put(String name, Object value) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(present -> values.put(name, present));
        } else {
            values.put(name, value);
        }
        return this;
    }

    Map<String, Object> all() {
        return Collections.unmodifiableMap(values);
    }

    /** Returns a number; empty when the field is missing. */
    Optional<Long> findNumber(String name) throws Unreadable {
        Object value = values.get(name);
        return value instanceof Integer number
                ? Optional.of(number.longValue())
                : Optional.ofNullable(cast(value, Long.class, name));
    }

    /** Returns a number; 0 when the field is missing. */
    long number(String name) throws Unreadable {
        return findNumber(name).orElse(0L);
    }

    /** Returns a number of 32 bits; 0 when the field is missing. */
    int integer(String name) throws Unreadable {
        long number = number(name);
        if (number != (int) number) {
            throw new Unreadable("it has the number " + number + " in the field " + name);
        }
        return (int) number;
    }

    /** Returns a text; empty when the field is missing. */
    public Optional<String> find(String name) throws Unreadable {
        return Optional.ofNullable(cast(values.get(name), String.class, name));
    }

    /** Returns the text of a field that every such record has. */
    public String text(String name) throws Unreadable {
        return required(values.get(name), String.class, name);
    }

    List<String> texts(String name) throws Unreadable {
        return list(name, String.class);
    }

    /** Returns the object of a field that every such record has. */
    public Fields object(String name) throws Unreadable {
        return required(values.get(name), Fields.class, name);
    }

    /** Returns lists of texts; empty when the field is missing. */
    Optional<List<List<String>>> findLists(String name) throws Unreadable {
        if (values.get(name) == null) {
            return Optional.empty();
        }
        List<List<String>> lists = new ArrayList<>();
        for (Object one : list(name, Collection.class)) {
            lists.add(new Fields().put(name, one).texts(name));
        }
        return Optional.of(lists);
    }

    /** Returns the values of the objects of a list that every such record has. */
    <T> List<T> objects(String name, Formats.Decoder<T> decoder) throws Unreadable {
        List<T> values = new ArrayList<>();
        for (Fields one : list(name, Fields.class)) {
            values.add(decoder.apply(one));
        }
        return values;
    }

    /** Returns the texts of an object by their names; none when the field is missing. */
    Map<String, String> map(String name) throws Unreadable {
        Map<String, String> texts = new LinkedHashMap<>();
        if (values.get(name) != null) {
            for (Map.Entry<String, Object> text : object(name).values.entrySet()) {
                // Its name is no field.
                texts.put(text.getKey(), required(text.getValue(), String.class, name));
            }
        }
        return texts;
    }

    private <T> List<T> list(String name, Class<T> type) throws Unreadable {
        List<T> all = new ArrayList<>();
        for (Object value : required(values.get(name), Collection.class, name)) {
            if (value == null) {
                throw new Unreadable("it has a null in the field " + name);
            }
            all.add(cast(value, type, name));
        }
        return all;
    }

    private static <T> T required(Object stored, Class<T> type, String name) throws Unreadable {
        T value = cast(stored, type, name);
        if (value == null) {
            throw new Unreadable("it lacks the field " + name);
        }
        return value;
    }

    private static <T> T cast(Object value, Class<T> type, String name) throws Unreadable {
        if (value != null && !type.isInstance(value)) {
            throw new Unreadable("it has a value of another type in the field " + name);
        }
        if (value instanceof String text && !isLegal(name, text)) {
            throw new Unreadable("it has \"" + text + "\" in the field " + name);
        }
        return type.cast(value);
    }

    /** Says whether a text follows the rule that its field has in each record. Texts that are shown only have none. */
    private static boolean isLegal(String name, String text) {
        return switch (name) {
            case "runtimeId" -> UUID.matcher(text).matches();
            case "endpoint" -> text.isEmpty() || ForeignText.endpoint(text).isPresent();
            case "instanceId",
                    "node",
                    "id",
                    "publisher",
                    "leader",
                    "leftOut",
                    "by",
                    "holder",
                    "ownerId",
                    "writer",
                    "owner" -> ForeignText.isId(text);
            default -> true;
        };
    }
}
