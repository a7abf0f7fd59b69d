// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.ViewNumber;

/**
 * Writes a topology event as one line, readable and easy to search:
 *
 * <pre>
 * 10:15:30.123 TOPOLOGY_CHANGED view=42 leader=1a2b3c4d order=1a2b3c4d,5e6f7a8b came=5e6f7a8b went=- local=1a2b3c4d
 * </pre>
 *
 * <p>Leader and order are those of the local cluster; {@code came} and {@code went} cover the whole topology. An event without
 * a new view (a change has begun) shows the view that has just ended. Ids that are UUIDs are cut to their first eight digits;
 * any other id is shown whole. Without state; may be used by any thread.
 */
final class EventLine {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final String NOTHING = "-";

    private EventLine() {}

    /**
     * Returns the line for an event.
     *
     * @param time when the event was received, never null
     * @param event the event, never null
     * @return the line without a line end, never null
     */
    static String of(LocalTime time, TopologyEvent event) {
        TopologyView before = event.getOldView();
        TopologyView after = event.getNewView();
        TopologyView shown = after == null ? before : after;
        StringBuilder line = new StringBuilder(TIME.format(time))
                .append(' ')
                .append(event.getType())
                .append(" view=")
                .append(number(shown))
                .append(" leader=")
                .append(shortId(
                        shown.getLocalInstance().getClusterView().getLeader().getSlingId()))
                .append(" order=")
                .append(order(shown));
        if (after != null) {
            Map<String, InstanceDescription> old = byId(before);
            Map<String, InstanceDescription> now = byId(after);
            line.append(" came=").append(without(now.keySet(), old.keySet()));
            line.append(" went=").append(without(old.keySet(), now.keySet()));
            if (event.getType() == TopologyEvent.Type.PROPERTIES_CHANGED) {
                line.append(" changed=").append(changes(old, now));
            }
        }
        return line.append(" local=")
                .append(shortId(shown.getLocalInstance().getSlingId()))
                .toString();
    }

    private static String number(TopologyView view) {
        OptionalLong number = ViewNumber.of(view);
        return number.isPresent() ? Long.toString(number.getAsLong()) : NOTHING;
    }

    private static String order(TopologyView view) {
        List<InstanceDescription> members =
                view.getLocalInstance().getClusterView().getInstances();
        return list(members, member -> shortId(member.getSlingId()));
    }

    private static Map<String, InstanceDescription> byId(TopologyView view) {
        Map<String, InstanceDescription> instances = new TreeMap<>();
        if (view != null) {
            view.getInstances().forEach(instance -> instances.put(instance.getSlingId(), instance));
        }
        return instances;
    }

    private static String without(Set<String> ids, Set<String> others) {
        Set<String> rest = new TreeSet<>(ids);
        rest.removeAll(others);
        return list(rest, EventLine::shortId);
    }

    /** Names only: a value may be long and may hold a line end. */
    private static String changes(Map<String, InstanceDescription> old, Map<String, InstanceDescription> now) {
        Set<String> changes = new TreeSet<>();
        now.forEach((id, instance) -> {
            InstanceDescription previous = old.get(id);
            if (previous != null) {
                Set<String> names = new TreeSet<>(previous.getProperties().keySet());
                names.addAll(instance.getProperties().keySet());
                names.removeIf(name -> Objects.equals(previous.getProperty(name), instance.getProperty(name)));
                names.forEach(name -> changes.add(shortId(id) + ":" + name));
            }
        });
        return list(changes, change -> change);
    }

    private static <T> String list(Collection<T> values, Function<T, String> text) {
        return values.isEmpty() ? NOTHING : values.stream().map(text).collect(Collectors.joining(","));
    }

    private static String shortId(String id) {
        return UUID.matcher(id).matches() ? id.substring(0, 8) : id;
    }
}
