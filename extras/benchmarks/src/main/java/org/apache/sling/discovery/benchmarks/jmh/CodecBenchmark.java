// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The codecs of views and of members' records. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CodecBenchmark {
    private static final Codecs CODECS = Codecs.CURRENT;

    /** The number of members of the view. A member's record does not depend on it. */
    @Param({"10", "100", "1000"})
    public int members;

    private EstablishedView view;
    private MemberRecord record;
    private int format;
    private byte[] writtenView;
    private byte[] writtenRecord;

    @Setup
    public void prepare() throws Exception {
        List<Member> all = Samples.members(members);
        view = Samples.view(all, 42);
        record = all.get(0).record();
        format = record.format();
        writtenView = writeView();
        writtenRecord = writeRecord();
    }

    @Benchmark
    public byte[] writeView() {
        return CODECS.views().write(view, format);
    }

    @Benchmark
    public EstablishedView readView() throws Exception {
        return CODECS.views().readView(writtenView);
    }

    @Benchmark
    public byte[] writeRecord() throws Exception {
        return CODECS.members().write(record);
    }

    @Benchmark
    public MemberRecord readRecord() throws Exception {
        return CODECS.members().read(writtenRecord);
    }
}
