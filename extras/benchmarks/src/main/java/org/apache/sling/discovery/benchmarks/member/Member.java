// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

/** One member of a cluster. It reports to a {@link Recorder} what it is told. */
public interface Member {

    /** Connects to the servers and reads what it needs; returns when only the announcement of the member is missing. */
    void connect() throws Exception;

    /** Announces the member; may return before the others are told. */
    void join() throws Exception;

    /** Changes the property of the member; may return before the others are told. */
    void change(String value) throws Exception;

    /** Leaves the cluster cleanly and releases everything. */
    void leave() throws Exception;
}
