// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.drawing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;

/**
 * The places of clusters in a drawing. The own cluster and those of the same store are on the left; each other cluster is to the right
 * of the one from which its announcement came. A cluster has a row of its own, unless it is beside the first one that it leads to.
 *
 * @param boxes what is drawn: each box after the one that it leads to
 * @param rows the number of rows
 * @param columns the number of columns
 * @param storeRows the number of rows that the clusters of the same store take, 0 if the own cluster is the only one
 */
record ClusterLayout(List<Box> boxes, int rows, int columns, int storeRows) {
    /** The greatest number of clusters that are drawn; the further ones are counted. */
    static final int MOST = 14;

    private static final int MOST_UNANSWERED = 5;

    /**
     * A box.
     *
     * @param cluster the cluster; empty for what stands for others
     * @param connector the connector of this instance without a cluster to which it leads; empty for others
     * @param more for how many clusters it stands
     * @param parent the box to which its announcements go; empty for a cluster of this store
     * @param column its column, from 0
     * @param row its row, from 0
     */
    record Box(
            Optional<Cluster> cluster,
            Optional<Outgoing> connector,
            int more,
            Optional<Box> parent,
            int column,
            int row) {}

    /** Places the clusters of a report; empty if there is nothing but the own cluster. */
    static Optional<ClusterLayout> of(TopologyReport report) {
        List<Outgoing> unanswered = unanswered(report);
        if (report.clusters().isEmpty() || report.clusters().size() == 1 && unanswered.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Placing(report.clusters(), unanswered).layout());
    }

    /** Returns the connectors that lead to no cluster of the topology. */
    private static List<Outgoing> unanswered(TopologyReport report) {
        return report.connectors().outgoing().stream()
                .filter(each -> each.peer().filter(report::hasInstance).isEmpty())
                .limit(MOST_UNANSWERED)
                .toList();
    }

    /** Finds the places, in the order of the rows. Used once. */
    private static final class Placing {
        private final List<Outgoing> unanswered;
        private final Map<Cluster, List<Cluster>> children = new IdentityHashMap<>();
        private final List<Cluster> roots = new ArrayList<>();
        private final Set<Cluster> drawn = identities();
        private final List<Box> boxes = new ArrayList<>();
        private int rows;
        private int columns = 1;

        Placing(List<Cluster> clusters, List<Outgoing> unanswered) {
            this.unanswered = unanswered;
            Map<String, Cluster> byInstance = new HashMap<>();
            for (Cluster cluster : clusters) {
                for (Instance instance : cluster.instances()) {
                    byInstance.putIfAbsent(instance.id(), cluster);
                }
            }
            Cluster own = clusters.get(0);
            for (Cluster cluster : clusters) {
                if (cluster == own || cluster.way().isEmpty()) {
                    roots.add(cluster);
                } else {
                    children.computeIfAbsent(next(cluster, byInstance, own), key -> new ArrayList<>())
                            .add(cluster);
                }
            }
            attachTheRest(clusters, own);
            chooseDrawn();
        }

        /** Returns the cluster to which the announcement of another one went before it came here. */
        private static Cluster next(Cluster cluster, Map<String, Cluster> byInstance, Cluster own) {
            List<String> way = cluster.way();
            for (int i = way.size() - 1; i >= 0; i--) {
                Cluster on = byInstance.get(way.get(i));
                if (on != null && on != cluster) {
                    return on;
                }
            }
            return own;
        }

        /** Ways that were announced at different times may contradict each other, so that two clusters lead to each other. */
        private void attachTheRest(List<Cluster> clusters, Cluster own) {
            Set<Cluster> reached = reached();
            for (Cluster cluster : clusters) {
                if (!reached.contains(cluster)) {
                    children.values().forEach(each -> each.removeIf(other -> other == cluster));
                    children.computeIfAbsent(own, key -> new ArrayList<>()).add(cluster);
                    reached = reached();
                }
            }
        }

        private Set<Cluster> reached() {
            Set<Cluster> reached = identities();
            reached.addAll(breadthFirst());
            return reached;
        }

        /** Comparing clusters by their content would take long, and their ids come from peers. */
        private static Set<Cluster> identities() {
            return Collections.newSetFromMap(new IdentityHashMap<>());
        }

        private List<Cluster> breadthFirst() {
            List<Cluster> all = new ArrayList<>();
            Deque<Cluster> open = new ArrayDeque<>(roots);
            while (!open.isEmpty()) {
                Cluster next = open.poll();
                all.add(next);
                open.addAll(children.getOrDefault(next, List.of()));
            }
            return all;
        }

        private void chooseDrawn() {
            breadthFirst().stream().limit(MOST).forEach(drawn::add);
        }

        ClusterLayout layout() {
            Cluster own = roots.get(0);
            List<Cluster> others = roots.subList(1, roots.size());
            place(own, Optional.empty(), 0, unanswered);
            int storeRow = 1;
            // Others that lead nowhere stand below the own cluster, whose branches are in further columns.
            for (Cluster root : others) {
                if (drawn.contains(root)
                        && children.getOrDefault(root, List.of()).isEmpty()) {
                    boxes.add(root(Optional.of(root), 0, storeRow++));
                }
            }
            int hidden = 0;
            for (Cluster root : others) {
                hidden += drawn.contains(root) ? 0 : 1 + hidden(root);
            }
            if (hidden > 0) {
                boxes.add(root(Optional.empty(), hidden, storeRow++));
            }
            rows = Math.max(rows, storeRow);
            for (Cluster root : others) {
                if (drawn.contains(root)
                        && !children.getOrDefault(root, List.of()).isEmpty()) {
                    storeRow = rows + 1;
                    place(root, Optional.empty(), 0, List.of());
                }
            }
            return new ClusterLayout(List.copyOf(boxes), rows, columns, others.isEmpty() ? 0 : storeRow);
        }

        private static Box root(Optional<Cluster> cluster, int more, int row) {
            return new Box(cluster, Optional.empty(), more, Optional.empty(), 0, row);
        }

        private int hidden(Cluster cluster) {
            int count = 0;
            for (Cluster child : children.getOrDefault(cluster, List.of())) {
                count += (drawn.contains(child) ? 0 : 1) + hidden(child);
            }
            return count;
        }

        private void place(Cluster cluster, Optional<Box> parent, int column, List<Outgoing> connectors) {
            int first = rows;
            columns = Math.max(columns, column + 1);
            Box box = new Box(Optional.of(cluster), Optional.empty(), 0, parent, column, first);
            boxes.add(box);
            int more = 0;
            for (Cluster child : children.getOrDefault(cluster, List.of())) {
                if (drawn.contains(child)) {
                    place(child, Optional.of(box), column + 1, List.of());
                } else {
                    more += 1 + hidden(child);
                }
            }
            if (more > 0) {
                leaf(new Box(Optional.empty(), Optional.empty(), more, Optional.of(box), column + 1, rows));
            }
            for (Outgoing connector : connectors) {
                leaf(new Box(Optional.empty(), Optional.of(connector), 0, Optional.of(box), column + 1, rows));
            }
            rows = Math.max(rows, first + 1);
        }

        private void leaf(Box box) {
            columns = Math.max(columns, box.column() + 1);
            boxes.add(box);
            rows++;
        }
    }
}
