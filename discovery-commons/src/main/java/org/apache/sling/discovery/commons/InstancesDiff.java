// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.InstanceFilter;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;

/**
 * The instances that were added, removed and retained between an old and a new state, by Sling id. Copies its input; never
 * changes and is safe for use by any thread. Each method returns a new collection, never null, for use by one thread.
 *
 * <p>An instance without a Sling id is ignored. Two instances of one state must not have the same id.
 */
public final class InstancesDiff {

    private final Map<String, InstanceDescription> before;
    private final Map<String, InstanceDescription> after;

    /**
     * Compares the views of an event. A view that the event does not have counts as a view without instances.
     *
     * @param event never null
     * @throws IllegalArgumentException if two instances of one view have the same id
     */
    public InstancesDiff(TopologyEvent event) {
        this(instances(event.getOldView()), instances(event.getNewView()));
    }

    /**
     * Compares all instances of two views.
     *
     * @param oldView never null
     * @param newView never null
     * @throws IllegalArgumentException if two instances of one view have the same id
     */
    public InstancesDiff(TopologyView oldView, TopologyView newView) {
        this(
                Objects.requireNonNull(oldView, "oldView").getInstances(),
                Objects.requireNonNull(newView, "newView").getInstances());
    }

    /**
     * Compares the members of two clusters, usually the same cluster in two views.
     *
     * @param oldView never null
     * @param newView never null
     * @throws IllegalArgumentException if two members of one cluster have the same id
     */
    public InstancesDiff(ClusterView oldView, ClusterView newView) {
        this(
                Objects.requireNonNull(oldView, "oldView").getInstances(),
                Objects.requireNonNull(newView, "newView").getInstances());
    }

    /**
     * Compares two collections of instances.
     *
     * @param oldInstances never null, holds no null
     * @param newInstances never null, holds no null
     * @param <T> the kind of instances
     * @throws IllegalArgumentException if two instances of one collection have the same id
     */
    public <T extends InstanceDescription> InstancesDiff(Collection<T> oldInstances, Collection<T> newInstances) {
        before = byId("old", oldInstances);
        after = byId("new", newInstances);
    }

    /**
     * Returns the instances of both states.
     *
     * @param fromNew true to describe those that stayed as they are in the new state, false as they were in the old one
     */
    public InstanceCollection all(boolean fromNew) {
        Map<String, InstanceDescription> all = new LinkedHashMap<>(before);
        after.forEach((id, instance) -> all.merge(id, instance, (was, is) -> fromNew ? is : was));
        return new InstanceCollection(all.values());
    }

    /** Returns the instances that are in the new state only. */
    public InstanceCollection added() {
        return new InstanceCollection(without(after, before.keySet()));
    }

    /** Returns the instances that are in the old state only. */
    public InstanceCollection removed() {
        return new InstanceCollection(without(before, after.keySet()));
    }

    /**
     * Returns the instances that are in both states.
     *
     * @param fromNew true to describe them as they are in the new state, false as they were in the old one
     */
    public InstanceCollection retained(boolean fromNew) {
        return new InstanceCollection(stayed(fromNew, List.of(true, false)));
    }

    /**
     * Returns the instances that are in both states, selected by whether their properties have changed.
     *
     * @param fromNew true to describe them as they are in the new state, false as they were in the old one
     * @param propertyChanged true for instances with an added, removed or changed property, false for all others
     */
    public InstanceCollection retained(boolean fromNew, boolean propertyChanged) {
        return new InstanceCollection(stayed(fromNew, List.of(propertyChanged)));
    }

    private List<InstanceDescription> stayed(boolean fromNew, List<Boolean> changed) {
        List<InstanceDescription> stayed = new ArrayList<>();
        before.forEach((id, was) -> {
            InstanceDescription is = after.get(id);
            if (is != null && changed.contains(!was.getProperties().equals(is.getProperties()))) {
                stayed.add(fromNew ? is : was);
            }
        });
        return stayed;
    }

    private static List<InstanceDescription> without(Map<String, InstanceDescription> instances, Set<String> ids) {
        List<InstanceDescription> rest = new ArrayList<>();
        instances.forEach((id, instance) -> {
            if (!ids.contains(id)) {
                rest.add(instance);
            }
        });
        return rest;
    }

    private static Collection<InstanceDescription> instances(TopologyView view) {
        return view == null ? Set.of() : view.getInstances();
    }

    private static Map<String, InstanceDescription> byId(
            String state, Collection<? extends InstanceDescription> instances) {
        Map<String, InstanceDescription> byId = new LinkedHashMap<>();
        for (InstanceDescription instance : instances) {
            String id = instance.getSlingId();
            if (id != null && byId.put(id, instance) != null) {
                throw new IllegalArgumentException(
                        "two of the " + state + " instances have the Sling id " + id + ", but ids must be unique");
            }
        }
        return byId;
    }

    /**
     * A selection of the instances, which can be narrowed down. Each method but {@link #get()} narrows down this object and
     * returns it. Not safe for use by several threads at the same time.
     */
    @SuppressWarnings("ClassCanBeStatic") // It is not in Sling, so bundles call it so.
    public final class InstanceCollection {

        private final Collection<InstanceDescription> instances;
        private final List<InstanceFilter> filters = new ArrayList<>();

        private InstanceCollection(Collection<InstanceDescription> instances) {
            this.instances = instances;
        }

        /**
         * Keeps those that a filter accepts. The filter is called by {@link #get()}, in the thread that calls it.
         *
         * @param filter null keeps all
         */
        public InstanceCollection filterWith(InstanceFilter filter) {
            if (filter != null) {
                filters.add(filter);
            }
            return this;
        }

        /** Keeps the local instance. */
        public InstanceCollection isLocal() {
            return filterWith(InstanceDescription::isLocal);
        }

        /** Keeps all but the local instance. */
        public InstanceCollection isNotLocal() {
            return filterWith(instance -> !instance.isLocal());
        }

        /** Keeps those that lead their cluster. */
        public InstanceCollection isLeader() {
            return filterWith(InstanceDescription::isLeader);
        }

        /** Keeps those that do not lead their cluster. */
        public InstanceCollection isNotLeader() {
            return filterWith(instance -> !instance.isLeader());
        }

        /**
         * Keeps those whose cluster has the same id as the given one.
         *
         * @param clusterView null keeps all
         */
        public InstanceCollection isInClusterView(ClusterView clusterView) {
            return clusterView == null ? this : filterWith(instance -> isMember(instance, clusterView));
        }

        /**
         * Keeps those whose cluster has another id than the given one.
         *
         * @param clusterView null keeps all
         */
        public InstanceCollection isNotInClusterView(ClusterView clusterView) {
            return clusterView == null ? this : filterWith(instance -> !isMember(instance, clusterView));
        }

        /**
         * Returns the instances that all filters accept.
         *
         * @return a new unmodifiable collection, never null, maybe empty
         */
        public Collection<InstanceDescription> get() {
            return instances.stream()
                    .filter(instance -> filters.stream().allMatch(filter -> filter.accept(instance)))
                    .toList();
        }

        private static boolean isMember(InstanceDescription instance, ClusterView clusterView) {
            return clusterView.getId().equals(instance.getClusterView().getId());
        }
    }
}
