// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

/** One member of a cluster. It reports to a {@link Recorder} what it is told. */
interface Member {

    /** Connects to the servers and reads what it needs; returns when only the announcement of the member is missing. */
    void connect() throws Exception;

    /** Announces the member; may return before the others are told. */
    void join() throws Exception;

    /** Connects and joins at once, as an instance that starts does. */
    default void start() throws Exception {
        connect();
        join();
    }

    /** Changes the property of the member; may return before the others are told. */
    void change(String value) throws Exception;

    /** Leaves the cluster cleanly and releases everything. */
    void leave() throws Exception;
}
