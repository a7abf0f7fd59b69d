// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The members of a cluster that share a process. Times are those of {@link System#nanoTime}, which all processes share. */
interface Group extends AutoCloseable {

    /** Starts to record; see {@link Recorder#begin}. */
    void begin(int size, Optional<String> value, List<String> ids) throws Exception;

    /** Connects new members; returns when all of them are connected. */
    void connect(List<String> ids) throws Exception;

    /** Announces connected members, and returns when that began. */
    long join(List<String> ids) throws Exception;

    /** Connects and joins a new member without a pause between; returns when that began. */
    long start(String id) throws Exception;

    /** Makes members leave, all at once; returns when that began. */
    long leave(List<String> ids) throws Exception;

    /** Changes the property of a member; returns when that began. */
    long change(String id, String value) throws Exception;

    /** Waits until the members have been told. */
    Recorder.Told await(long limitMillis) throws Exception;

    /** Returns the eldest member, as the members of this group were told; see {@link Recorder#leader}. */
    Optional<String> leader() throws Exception;

    Usage usage() throws Exception;

    /** Returns the heap that is used after a collection. */
    long heap() throws Exception;

    /** Makes all members leave. */
    @Override
    void close() throws IOException;
}
