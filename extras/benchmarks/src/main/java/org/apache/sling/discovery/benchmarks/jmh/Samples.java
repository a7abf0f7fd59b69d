// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.jmh;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewHead;

/** Members and views of any size. */
final class Samples {
    static final int SESSION_MILLIS = 10_000;
    static final String CLUSTER_ID = "7d3f0a52-6a53-4d0c-9d3e-5f6f0f0c2b11";

    private Samples() {}

    static List<Member> members(int count) {
        return IntStream.range(0, count).mapToObj(Samples::member).toList();
    }

    static Member member(int index) {
        String id = String.format("8c1b7f6e-0d5e-4f54-9b1e-%012d", index);
        ProcessInfo process =
                new ProcessInfo("run-" + id, "host" + index, 1_000L + index, "/opt/sling", 1_700_000_000_000L);
        MemberRecord record = MemberRecord.of(
                        id, process, Map.of("name", "host" + index, "endpoint", "http://host" + index + ":8080/"))
                .withSessionTimeout(SESSION_MILLIS);
        return new Member("m-" + index, 10L + index, 1_700_000_000_000L, 0x1000L + index, record);
    }

    static EstablishedView view(List<Member> members, long number) {
        List<Incarnation> incarnations =
                members.stream().map(Member::incarnation).toList();
        return new EstablishedView(
                new ViewHead(
                        number,
                        number - 1,
                        7,
                        SESSION_MILLIS,
                        1_700_000_000_000L,
                        Reason.ofText("an instance joined"),
                        members.get(0).instanceId()),
                incarnations,
                Set.of());
    }
}
