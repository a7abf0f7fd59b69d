// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

/** A value and a map that the members share. It reports to a {@link Recorder} what a member is notified of. */
public interface BenchmarkData {

    /** How many entries the map has. */
    int ENTRIES = 100;

    /** Writes the value; returns when the store has replied. */
    void write(String value) throws Exception;

    /** Writes the same to all entries, none of which waits for another. */
    void writeAll(String value) throws Exception;
}
