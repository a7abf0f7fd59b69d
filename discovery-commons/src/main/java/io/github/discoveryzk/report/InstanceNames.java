// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of the instances that are known, and the one place that decides how a text names an instance: by its name, with the
 * beginning of its id if another instance has the same name, or by the whole id of an instance without a name.
 *
 * @param byId the name of each instance that has one, by instance id
 * @param repeated the names that several instances have
 */
public record InstanceNames(Map<String, String> byId, Set<String> repeated) {

    /** The property of an instance that is its name. */
    public static final String PROPERTY = "org.apache.sling.instance.name";

    /** No name is known. */
    public static final InstanceNames NONE = InstanceNames.of(Map.of());

    private static final int MAX_NAME = 80;
    private static final int MAX_SHORT_ID = 20;
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    public InstanceNames {
        byId = Map.copyOf(byId);
        repeated = Set.copyOf(repeated);
    }

    /** Returns these names. */
    public static InstanceNames of(Map<String, String> byId) {
        Set<String> seen = new HashSet<>();
        return new InstanceNames(
                byId, byId.values().stream().filter(name -> !seen.add(name)).collect(Collectors.toSet()));
    }

    /** Returns whether a text has to add the id to the name of that instance. */
    public boolean isAmbiguous(String instanceId) {
        return name(instanceId)
                .filter(name -> repeated.contains(name) && !name.equals(instanceId))
                .isPresent();
    }

    /** Returns the name in the properties of an instance; empty when it has none. */
    public static Optional<String> name(Map<String, String> properties) {
        return Optional.ofNullable(properties.get(PROPERTY))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(name -> name.length() > MAX_NAME ? name.substring(0, MAX_NAME) + "\u2026" : name);
    }

    /** Returns the name of that instance; empty when none is known. */
    public Optional<String> name(String instanceId) {
        return Optional.ofNullable(byId.get(instanceId));
    }

    /** Returns how a text names that instance. */
    public String label(String instanceId) {
        return name(instanceId)
                .map(name -> isAmbiguous(instanceId) ? name + " (" + shortId(instanceId) + ")" : name)
                .orElse(instanceId);
    }

    /** Returns a text of another bundle with names in place of ids, as far as the ids are UUIDs. */
    public String named(String text) {
        return UUID.matcher(text).replaceAll(found -> Matcher.quoteReplacement(label(found.group())));
    }

    /** Returns reasons as one sentence. */
    public String sentence(List<Reason> reasons) {
        return Reason.sentence(reasons, this::label);
    }

    /** Returns what reasons say of an instance that a text has named before. */
    public String clause(List<Reason> reasons) {
        return reasons.stream().map(each -> each.predicate(this::label)).collect(Collectors.joining("; "));
    }

    /** Returns the beginning of an id, long enough to tell instances apart for a reader. */
    public static String shortId(String instanceId) {
        if (UUID.matcher(instanceId).matches()) {
            return instanceId.substring(0, 8);
        }
        return instanceId.length() > MAX_SHORT_ID ? instanceId.substring(0, MAX_SHORT_ID) + "\u2026" : instanceId;
    }
}
