// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import io.github.discoveryzk.leader.ViewNumber;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.InstancesDiff;

/**
 * Writes a topology event as one line, readable and easy to search:
 *
 * <pre>
 * 10:15:30.123 TOPOLOGY_CHANGED view=42 leader=author-1 order=author-1,author-2 came=author-2 went=- local=author-1
 * </pre>
 *
 * <p>Leader and order are those of the local cluster; {@code came} and {@code went} cover the whole topology. An event without
 * a new view (a change has begun) shows the view that has just ended. An instance without a name
 * has its id, of which the first eight digits stand if it is a UUID.
 */
final class EventLine {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private EventLine() {}

    /** Returns the line for an event that was received at that time, without a line end. */
    static String of(LocalTime time, TopologyEvent event) {
        TopologyView shown = event.getNewView() == null ? event.getOldView() : event.getNewView();
        InstanceDescription local = shown.getLocalInstance();
        OptionalLong number = ViewNumber.of(shown);
        return TIME.format(time) + " " + event.getType()
                + " view=" + (number.isPresent() ? number.getAsLong() : "-")
                + " leader=" + label(local.getClusterView().getLeader())
                + " order=" + labels(local.getClusterView().getInstances())
                + (event.getNewView() == null ? "" : changes(event))
                + " local=" + label(local);
    }

    private static String changes(TopologyEvent event) {
        InstancesDiff diff = new InstancesDiff(event);
        String moved = " came=" + labels(diff.added().get()) + " went="
                + labels(diff.removed().get());
        return event.getType() == TopologyEvent.Type.PROPERTIES_CHANGED
                ? moved + " changed="
                        + list(diff.retained(true, true).get().stream()
                                .flatMap(now -> changedNames(now, event.getOldView())))
                : moved;
    }

    /** Names only: a value may be long and may hold a line end. */
    private static Stream<String> changedNames(InstanceDescription now, TopologyView old) {
        InstanceDescription before = old.findInstances(each -> each.getSlingId().equals(now.getSlingId()))
                .iterator()
                .next();
        TreeSet<String> names = new TreeSet<>(before.getProperties().keySet());
        names.addAll(now.getProperties().keySet());
        return names.stream()
                .filter(name -> !Objects.equals(before.getProperty(name), now.getProperty(name)))
                .map(name -> label(now) + ":" + name);
    }

    private static String labels(Collection<InstanceDescription> instances) {
        return list(instances.stream().map(EventLine::label));
    }

    private static String list(Stream<String> texts) {
        String joined = texts.collect(Collectors.joining(","));
        return joined.isEmpty() ? "-" : joined;
    }

    private static String label(InstanceDescription instance) {
        String name = instance.getProperty(InstanceDescription.PROPERTY_NAME);
        if (name != null && !name.isBlank()) {
            return name.strip().replaceAll("[\\s,]+", "_");
        }
        String id = instance.getSlingId();
        return UUID.matcher(id).matches() ? id.substring(0, 8) : id;
    }
}
