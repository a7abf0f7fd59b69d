// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why something is as it is: why a view is invalidated or followed another one, how a member left, what an instance waits for. A value to
 * keep, to store and to compare; the sentence is made when it is shown.
 *
 * @param code what it is
 * @param arguments the words to fill in: ids of instances, names of listeners, numbers
 */
public record Reason(ReasonCode code, List<String> arguments) {

    private static final int MAX_NAMED = 12;

    /** Kind of placeholder, then the index of its first argument, then for a count the noun that is counted. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([ilbtv#]?)(\\d)(?: (\\w+))?\\}");

    /** With these an instance has joined again. */
    private static final Set<ReasonCode> RETURNING =
            EnumSet.of(ReasonCode.SESSION_ENDED, ReasonCode.DIED, ReasonCode.REPLACED);

    /** These do not say so themselves: the earlier node went with its session, or the next one removed it. */
    private static final Set<ReasonCode> LOST = EnumSet.of(ReasonCode.SESSION_ENDED, ReasonCode.REPLACED);

    public Reason {
        Objects.requireNonNull(code, "code");
        arguments = List.copyOf(arguments);
        if (arguments.size() < code.arity()) {
            throw new IllegalArgumentException(code + " needs " + code.arity() + " arguments: " + arguments);
        }
    }

    /** Returns a reason; numbers are written in decimal. */
    public static Reason of(ReasonCode code, Object... arguments) {
        List<String> words = new ArrayList<>(arguments.length);
        for (Object argument : arguments) {
            if (argument instanceof Collection<?> several) {
                several.forEach(each -> words.add(each.toString()));
            } else {
                words.add(argument.toString());
            }
        }
        return new Reason(code, words);
    }

    /**
     * Returns reasons as they are stored: each is the name of a code, followed by the arguments.
     *
     * @param otherwise what the reasons are if an earlier version has stored no codes, or a later one a code that is not known
     */
    public static List<Reason> ofStored(List<List<String>> stored, String otherwise) {
        if (stored == null) {
            return ofText(otherwise);
        }
        try {
            return stored.stream()
                    .map(each -> new Reason(ReasonCode.valueOf(each.get(0)), each.subList(1, each.size())))
                    .toList();
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
            return ofText(otherwise);
        }
    }

    /** Returns reasons as they are stored. */
    public static List<List<String>> toStored(List<Reason> reasons) {
        return reasons.stream()
                .map(each -> Stream.concat(Stream.of(each.code().name()), each.arguments().stream())
                        .toList())
                .toList();
    }

    /** Returns reasons that an earlier version stored as a text. */
    public static List<Reason> ofText(String text) {
        return text.isEmpty() ? List.of() : List.of(of(ReasonCode.TEXT, text));
    }

    /** Returns how a member left. */
    public static Reason of(Departure departure) {
        String id = departure.member().instanceId();
        ReasonCode code = departure.kind().map(ReasonCode::of).orElse(ReasonCode.SESSION_ENDED);
        if (departure.by().isEmpty()) {
            return of(code, id);
        }
        String by = departure.by().get();
        return switch (code) {
            case CRASHED -> of(ReasonCode.CRASHED_BY, id, by, departure.afterMillis());
            case DIED -> of(ReasonCode.DIED_BY, id, by, departure.afterMillis());
            default -> of(ReasonCode.EVICTED_BY, id, by);
        };
    }

    /**
     * Returns some of the instances that were too late, with their listeners, and how many there are besides.
     *
     * @param late the listeners by instance id, empty for an instance that has not named any
     */
    public static Reason late(ReasonCode code, Map<String, String> late) {
        List<String> words = new ArrayList<>();
        late.entrySet().stream()
                .limit(MAX_NAMED)
                .forEach(each -> words.addAll(List.of(each.getKey(), each.getValue())));
        if (late.size() > MAX_NAMED) {
            words.add(String.valueOf(late.size() - MAX_NAMED));
        }
        return new Reason(code, words);
    }

    /** Returns the listeners of the instances that were too late, by instance id; empty for another reason. */
    public Map<String, String> late() {
        return code == ReasonCode.LATE ? pairs(0) : Map.of();
    }

    private Map<String, String> pairs(int from) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = from; i + 1 < arguments.size(); i += 2) {
            pairs.put(arguments.get(i), arguments.get(i + 1));
        }
        return pairs;
    }

    /** Says whether this is how that instance left. */
    public boolean isDeparture(String instanceId) {
        return code.isDeparture() && arguments.get(0).equals(instanceId);
    }

    /** Returns reasons as one sentence that names instances by their ids. */
    public static String sentence(List<Reason> reasons) {
        return sentence(reasons, UnaryOperator.identity());
    }

    /**
     * Returns reasons as one sentence, in which instances of which the same is said one after the other have one clause.
     *
     * @param names how a text names the instance of an id
     */
    public static String sentence(List<Reason> reasons, UnaryOperator<String> names) {
        List<String> clauses = new ArrayList<>();
        List<Reason> all = withReturns(reasons);
        int next = 0;
        while (next < all.size()) {
            int first = next;
            ReasonCode code = all.get(first).code();
            while (next < all.size() && all.get(next).code() == code) {
                next++;
            }
            List<Reason> same = all.subList(first, next);
            clauses.add(code.shared()
                    .filter(any -> same.size() > 1)
                    .map(shared -> of(
                                    code,
                                    same.stream()
                                            .flatMap(each -> each.arguments().stream())
                                            .toList())
                            .filled(shared, names))
                    .orElseGet(() ->
                            same.stream().map(each -> each.sentence(names)).collect(Collectors.joining("; "))));
        }
        return String.join("; ", clauses);
    }

    /** Returns the reasons with one, not two, for each member of which the one says that it is back. */
    private static List<Reason> withReturns(List<Reason> reasons) {
        Set<String> back = ids(reasons, EnumSet.of(ReasonCode.JOINED));
        back.retainAll(ids(reasons, RETURNING));
        return reasons.stream()
                .filter(each -> each.code() != ReasonCode.JOINED
                        || !back.contains(each.arguments().get(0)))
                .map(each -> LOST.contains(each.code())
                                && back.contains(each.arguments().get(0))
                        ? new Reason(ReasonCode.RETURNED, each.arguments())
                        : each)
                .toList();
    }

    private static Set<String> ids(List<Reason> reasons, Set<ReasonCode> codes) {
        return reasons.stream()
                .filter(each -> codes.contains(each.code()))
                .map(each -> each.arguments().get(0))
                .collect(Collectors.toSet());
    }

    /** Returns the sentence; names say how a text names the instance of an id. */
    public String sentence(UnaryOperator<String> names) {
        return filled(code.sentence(), names);
    }

    /** Returns what a sentence that begins with an instance says of it; any other sentence as it is. */
    public String predicate(UnaryOperator<String> names) {
        return filled(code.sentence().replaceFirst("^\\{\\w+\\} ", ""), names);
    }

    /** Returns the words for an event at a known time, to be completed by a duration; empty if the reason has none. */
    public Optional<String> countdown() {
        return Optional.of(code.countdown()).filter(words -> !words.isEmpty());
    }

    private String filled(String sentence, UnaryOperator<String> names) {
        return PLACEHOLDER
                .matcher(sentence)
                .replaceAll(found -> Matcher.quoteReplacement(
                        word(found.group(1), Integer.parseInt(found.group(2)), found.group(3), names)));
    }

    private String word(String kind, int index, String noun, UnaryOperator<String> names) {
        return switch (kind) {
            case "i" -> names.apply(arguments.get(index));
            case "l" -> list(rest(index).stream().map(names).toList(), MAX_NAMED);
            case "b" -> blamed(index, names);
            case "t" -> duration(arguments.get(index));
            case "v" -> ViewHead.words(arguments.get(index));
            case "#" -> arguments.get(index) + " " + noun
                    + (arguments.get(index).equals("1") ? "" : "s");
            default -> arguments.get(index);
        };
    }

    /** Returns a duration; what the store says need not be a number. */
    private static String duration(String millis) {
        return millis.matches("\\d{4,15}")
                ? String.format(Locale.ROOT, "%.1f s", Long.parseLong(millis) / 1_000.0)
                : millis + " ms";
    }

    private List<String> rest(int index) {
        return arguments.subList(index, arguments.size());
    }

    private String blamed(int index, UnaryOperator<String> names) {
        String named = pairs(index).entrySet().stream()
                .map(each -> blamed(names.apply(each.getKey()), each.getValue()))
                .collect(Collectors.joining(", "));
        boolean more = rest(index).size() % 2 == 1;
        return named + (more ? " and " + arguments.get(arguments.size() - 1) + " more" : "");
    }

    /** Returns how a text names an instance that others wait for. */
    public static String blamed(String name, String listener) {
        return name + (listener.isEmpty() ? "" : " (listener " + listener + ")");
    }

    /** Returns the first names of a list, and how many there are besides. */
    public static String list(List<String> names, int max) {
        int more = names.size() - max;
        return String.join(", ", names.subList(0, Math.min(max, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
