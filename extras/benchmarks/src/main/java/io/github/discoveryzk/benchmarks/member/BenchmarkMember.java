// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

/** One member of the cluster of a contestant. It reports to a {@link Recorder} what it is notified of. */
public interface BenchmarkMember {

    /** How long a member may take to connect, and to leave. */
    int CONNECT_SECONDS = 60;

    /** Connects to the servers and reads what it needs; returns when only the announcement of the member is missing. */
    void connect() throws Exception;

    /** Announces the member; may return before the others are notified. */
    void join() throws Exception;

    /** Changes the property of the member, if it has one; may return before the others are notified. */
    default void change(String value) throws Exception {
        throw new UnsupportedOperationException("this member has no property to change");
    }

    /** Opens the shared data, if that has not happened; returns when they have been read. */
    default BenchmarkData data() throws Exception {
        throw new UnsupportedOperationException("this member has no shared data");
    }

    /** Begins to handle keys; returns before it has any. */
    default void work() throws Exception {
        throw new UnsupportedOperationException("this member handles no keys");
    }

    /** Returns the record of who has which key. */
    default WorkRecord workRecord() {
        throw new UnsupportedOperationException("this member handles no keys");
    }

    /** Gives up all keys, and returns when others know that. */
    default void endWork() throws Exception {}

    /** Leaves the cluster cleanly and releases everything. */
    void leave() throws Exception;
}
