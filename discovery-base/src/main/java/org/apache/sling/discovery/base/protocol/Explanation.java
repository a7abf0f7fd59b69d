// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.apache.sling.discovery.base.protocol.Waiting.Reason.ANNOUNCEMENT;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.FORMAT;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.HOLDER;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.LISTENERS;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.QUARANTINE;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.UNREADABLE;

import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.UnreadableMember;

/** The texts for display that explain what an instance is waiting for. */
record Explanation(Facts facts, long now) {

    private static final int NAMED_LISTENERS = 3;
    private static final int NAME_LIMIT = 500;

    Waiting listeners(String then) {
        return facts.delivered()
                ? new Waiting(ANNOUNCEMENT, then)
                : new Waiting(
                        LISTENERS, "waiting for listener " + slowListeners() + " to return from CHANGING; " + then);
    }

    Waiting quarantine() {
        return new Waiting(
                        QUARANTINE,
                        "quarantined: this instance lost its seniority "
                                + facts.intent().losses()
                                + " times recently; look for long pauses of its process, a bad connection, or listeners that"
                                + " do not return")
                .until("it announces itself again in", facts.intent().announceAt());
    }

    Waiting holder(Member holder, Changing changing) {
        ProcessInfo other = holder.record().process();
        if (mayBePredecessor(holder, changing)) {
            return new Waiting(
                            HOLDER,
                            "instance id " + holder.instanceId() + " is held by process " + other.pid()
                                    + " of the same home, probably a predecessor of this instance")
                    .until("if so its session ends in at most", sessionEnd(holder, changing));
        }
        return new Waiting(
                HOLDER,
                "refused: instance id " + holder.instanceId() + " is held by process " + other.pid() + " on host "
                        + other.host() + ", home " + other.home()
                        + "; this instance joins when that one is gone, or give it its own id");
    }

    /** Says whether the holder may be a predecessor of this instance whose session has not ended yet. */
    boolean mayBePredecessor(Member holder, Changing changing) {
        ProcessInfo other = holder.record().process();
        ProcessInfo own = facts.own().process();
        boolean sameHome = other.host().equals(own.host()) && other.home().equals(own.home());
        return sameHome && now < sessionEnd(holder, changing);
    }

    /** Returns when the session of a predecessor ends at the latest: it had ended when this one began. */
    static long sessionEnd(Member holder, Changing changing) {
        return changing.since() + holder.record().sessionTimeoutMillis();
    }

    /** Explains why an instance that cannot read a member does not settle. */
    static Waiting unreadable(Candidates candidates) {
        List<UnreadableMember> all = Stream.concat(
                        candidates.unreadable().stream(), candidates.unreadableNewcomers().stream())
                .toList();
        return new Waiting(
                UNREADABLE,
                "this instance cannot read " + records(all)
                        + "; it stays CHANGING and publishes nothing until it can; check the access rights and the versions of the"
                        + " instances");
    }

    /** Explains why a coordinator leaves it to others to admit a newcomer that it cannot read. */
    static Waiting unreadableNewcomers(Candidates candidates) {
        return new Waiting(
                UNREADABLE,
                "this instance cannot read " + records(candidates.unreadableNewcomers())
                        + "; an instance that can read it publishes the next view; check the access rights and"
                        + " the versions of the instances");
    }

    private static String records(List<UnreadableMember> members) {
        UnreadableMember first = members.get(0);
        String more = members.size() > 1 ? " and " + (members.size() - 1) + " more" : "";
        return "the record of member node " + first.node() + more + " (" + first.why() + ")";
    }

    /** Explains why an instance that shares no format with the members is refused. */
    static Waiting incompatible(Member self, Candidates candidates) {
        return new Waiting(
                FORMAT,
                "refused: this instance reads and writes " + self.formats() + " of records, the members "
                        + candidates.formats() + "; upgrade the older ones first, to a version that supports both");
    }

    /** Names the listeners that have not returned, in a text short enough for the store. */
    String slowListeners() {
        List<String> listeners = facts.delivering();
        String first = String.join(", ", listeners.subList(0, Math.min(NAMED_LISTENERS, listeners.size())));
        String cut = first.substring(0, Math.min(NAME_LIMIT, first.length()));
        int others = listeners.size() - NAMED_LISTENERS;
        return others > 0 ? cut + " and " + others + " more" : cut;
    }
}
