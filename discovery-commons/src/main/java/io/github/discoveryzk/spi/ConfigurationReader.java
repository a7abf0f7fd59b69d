// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.report.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads the raw properties of a configuration. They come from files that are edited by hand, so a value can have any type. The defaults are
 * those of the annotation that describes the configuration. A value that cannot be used is replaced by its default, and is one of the
 * problems. Used by one thread.
 */
public final class ConfigurationReader {
    private final String pid;
    private final Class<?> described;
    private final Map<String, ?> configuration;
    private final List<String> problems = new ArrayList<>();

    /**
     * Makes a reader.
     *
     * @param pid the name of the configuration for sentences
     * @param described the annotation with a method for each key, in which an underscore stands for a dot
     * @param configuration the properties; others than those described are ignored
     */
    public ConfigurationReader(String pid, Class<?> described, Map<String, ?> configuration) {
        this.pid = pid;
        this.described = described;
        this.configuration = configuration;
    }

    /** Returns the values found so far that cannot be used, a sentence each; none of them has a secret. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Returns a text without blanks around it. An array of texts is one text with commas. */
    public String text(String key) {
        return text(key, text -> text);
    }

    /**
     * Returns what a text says.
     *
     * @param parse is called with the text, and with the default if it throws {@link IllegalArgumentException}, whose message says why
     */
    public <T> T text(String key, Function<String, T> parse) {
        String otherwise = String.valueOf(defaultOf(key));
        Object value = configuration.get(key);
        if (value == null) {
            return parse.apply(otherwise);
        }
        try {
            return parse.apply(textOf(value));
        } catch (IllegalArgumentException e) {
            report(key, value, e.getMessage(), otherwise);
            return parse.apply(otherwise);
        }
    }

    private static String textOf(Object value) {
        if (isList(value)) {
            return String.join(",", textsOf(value));
        }
        if (isText(value)) {
            return value.toString().trim();
        }
        throw new IllegalArgumentException("it is not a text");
    }

    private static boolean isText(Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean;
    }

    /** Returns a secret as it stands, with blanks around it. */
    public String secret(String key) {
        Object value = valueOf(key);
        if (isText(value)) {
            return value.toString();
        }
        report(key, Secrets.MASK, "it is not a text", "");
        return "";
    }

    /** Returns the texts of an array or a collection without blank ones; commas separate those of a single text. */
    public List<String> list(String key) {
        Object value = valueOf(key);
        return value instanceof String text ? trimmed(Stream.of(text.split(","))) : entries(key);
    }

    /** Returns the texts of an array or a collection without blank ones; a single text is one entry, which may contain commas. */
    public List<String> entries(String key) {
        Object value = valueOf(key);
        if (isText(value) || isList(value)) {
            return textsOf(value);
        }
        List<String> otherwise = textsOf(defaultOf(key));
        report(key, value, "it is not a list of texts", String.join(",", otherwise));
        return otherwise;
    }

    private static boolean isList(Object value) {
        return value instanceof Object[] || value instanceof Collection<?>;
    }

    private static List<String> textsOf(Object value) {
        if (value instanceof Collection<?> many) {
            return trimmed(many.stream());
        }
        return trimmed(value instanceof Object[] many ? Stream.of(many) : Stream.of(value));
    }

    private static List<String> trimmed(Stream<?> values) {
        return values.filter(Objects::nonNull)
                .map(each -> each.toString().trim())
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /**
     * Returns a choice: true or false, in letters of any case.
     *
     * @param careful the value that counts in place of anything else
     */
    public boolean flag(String key, boolean careful) {
        Object value = valueOf(key);
        String text = String.valueOf(value).trim().toLowerCase(Locale.ROOT);
        if (!text.equals("true") && !text.equals("false")) {
            report(key, value, "it is neither true nor false", careful);
            return careful;
        }
        return text.equals("true");
    }

    /** Returns a whole number within bounds. */
    public long number(String key, long least, long most) {
        return number(key, least, most, least, "");
    }

    /** Returns a whole number within bounds that is not below a floor, which follows from other values; {@code why} says so. */
    public long number(String key, long least, long most, long floor, String why) {
        long otherwise = Math.max(floor, ((Number) defaultOf(key)).longValue());
        Object value = configuration.get(key);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value.toString().trim());
            if (number >= least && number <= most) {
                if (number < floor) {
                    report(key, value, why, floor);
                }
                return Math.max(floor, number);
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        report(key, value, "it must be a whole number from " + least + " to " + most, otherwise);
        return otherwise;
    }

    /** Adds a value that cannot be used to the problems; {@code why} is a clause. */
    public void report(String key, Object value, String why, Object instead) {
        Object shown = value instanceof Object[] many ? Arrays.toString(many) : value;
        if (key.startsWith("authData") || Secrets.isSecret(key)) {
            shown = Secrets.MASK;
        }
        problems.add("The value '" + shown + "' of " + key + " in the configuration " + pid + " cannot be used: " + why
                + ". '" + instead + "' is used instead.");
    }

    private Object valueOf(String key) {
        Object value = configuration.get(key);
        return value == null ? defaultOf(key) : value;
    }

    private Object defaultOf(String key) {
        try {
            return described.getDeclaredMethod(key.replace('.', '_')).getDefaultValue();
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
