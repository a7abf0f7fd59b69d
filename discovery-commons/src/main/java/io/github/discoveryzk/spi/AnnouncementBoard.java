// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import java.util.List;
import java.util.Map;

/**
 * What the members of all clusters of a store share besides their records. It is a service of its own beside membership: no decision about
 * the local cluster depends on it or waits for it, and a snapshot does not contain it. By default nothing is shared.
 */
public interface AnnouncementBoard {

    /**
     * Sets what this instance shares with the other instances: announcements that it received through connectors. They are in the store as
     * long as a session of this instance lasts, and are written again when another one begins. What is shared already with the same content
     * is not written again. An announcement that cannot be written is reported by {@link StoreObserver#troubled} and does not keep the
     * others from being shared. May be called from any thread.
     *
     * @param contents the announcements, encoded, by the ids of their owners; replaces what was set before. The store writes them as they
     *     are, at a bounded rate
     */
    default void share(Map<String, Bytes> contents) {}

    /** Sets what is notified. To be called before {@link ClusterStore#open}. */
    default void follow(Observer observer) {}

    /** Is notified of whole lists. Calls come one after the other with those of {@link StoreObserver}; they neither block nor throw. */
    interface Observer {

        /** Ignores everything. */
        Observer NONE = new Observer() {};

        /**
         * The other clusters that the store has, as they are now. Equal clusters may be reported more than once.
         *
         * @param clusters each with the view that its members have settled; empty while none is known
         */
        default void remotesObserved(List<RemoteCluster> clusters) {}

        /**
         * The announcements that members share, as they are now: those of this instance and of all others, and those of the members of
         * the other clusters. Equal ones may be reported more than once.
         *
         * @param announcements ordered by holder and owner
         */
        default void announcementsObserved(List<SharedAnnouncement> announcements) {}
    }
}
