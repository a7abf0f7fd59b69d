// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of the instances that are known, and the one place that decides how a text names an instance: by its name and the
 * beginning of its id, or by the whole id of an instance without a name.
 *
 * @param byId the name of each instance that has one, by instance id
 */
public record InstanceNames(Map<String, String> byId) {

    /** The property of an instance that is its name. */
    public static final String PROPERTY = "org.apache.sling.instance.name";

    /** No name is known. */
    public static final InstanceNames NONE = new InstanceNames(Map.of());

    private static final int MAX_NAME = 80;
    private static final int MAX_SHORT_ID = 20;
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    public InstanceNames {
        byId = Map.copyOf(byId);
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
        return label(instanceId, name(instanceId));
    }

    /** Returns reasons as one sentence. */
    public String sentence(List<Reason> reasons) {
        return Reason.sentence(reasons, this::label);
    }

    /** Returns what reasons say of an instance that a text has named before. */
    public String clause(List<Reason> reasons) {
        return reasons.stream().map(each -> each.predicate(this::label)).collect(Collectors.joining("; "));
    }

    /** Returns how a text names an instance of that id and name. */
    public static String label(String instanceId, Optional<String> name) {
        return name.filter(known -> !known.equals(instanceId))
                .map(known -> known + " (" + shortId(instanceId) + ")")
                .orElse(instanceId);
    }

    /** Returns the beginning of an id, long enough to tell instances apart for a reader. */
    public static String shortId(String instanceId) {
        if (UUID.matcher(instanceId).matches()) {
            return instanceId.substring(0, 8);
        }
        return instanceId.length() > MAX_SHORT_ID ? instanceId.substring(0, MAX_SHORT_ID) + "\u2026" : instanceId;
    }
}
