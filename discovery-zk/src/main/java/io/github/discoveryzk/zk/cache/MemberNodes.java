// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Plausibility;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.zookeeper.data.Stat;

/** The cached children of the members' node: members, unreadable members and foreign nodes. */
public final class MemberNodes {
    private final Paths paths;
    private final Codecs codecs;

    /** What is wrong with a node, by its path. */
    private final Map<String, String> problems;

    private final Map<String, Member> members = new TreeMap<>();
    private final Map<String, UnreadableMember> unreadable = new TreeMap<>();
    private final Set<String> denied = new HashSet<>();
    private final Set<String> children = new HashSet<>();

    /** The live members; empty when they have changed since. The next snapshots share them. */
    private Optional<StoreSnapshot.Live> live = Optional.empty();

    MemberNodes(Paths paths, Codecs codecs, Map<String, String> problems) {
        this.paths = paths;
        this.codecs = codecs;
        this.problems = problems;
    }

    /** Puts a child of the members' node with its data. */
    void put(String name, NodeData found) {
        remove(name);
        children.add(name);
        Stat stat = found.stat();
        if (!Names.isMember(name) || stat.getEphemeralOwner() == 0) {
            reportForeign(name);
            return;
        }
        try {
            MemberRecord record = plausible(name, codecs.readMember(found.data()), stat.getMzxid());
            members.put(
                    name,
                    new Member(
                            name,
                            stat.getCzxid(),
                            stat.getCtime(),
                            stat.getEphemeralOwner(),
                            Names.formats(name).orElseThrow(),
                            record));
        } catch (Unreadable e) {
            addUnreadable(name, stat, e.getMessage());
        }
    }

    /** Returns the record without a view number that none can have at the transaction that wrote it. */
    private MemberRecord plausible(String name, MemberRecord record, long transaction) {
        long number = record.invalidatedUpTo().orElse(0);
        if (Plausibility.isNumber(number, transaction)) {
            return record;
        }
        problems.put(
                paths.member(name),
                "The member node " + paths.member(name) + " of instance " + record.instanceId()
                        + " is implausible: it names the view number " + number
                        + ", which no view can have; that number is ignored. Find out which client wrote it.");
        return record.withProtocolFields(OptionalLong.empty(), record.waitingFor());
    }

    /**
     * Puts a child of the members' node whose data must not be read.
     *
     * @param stat its owner is 0 when the session that owns the node is unknown
     * @param isComplete whether the whole stat was read
     */
    void putDenied(String name, Stat stat, boolean isComplete, String why) {
        remove(name);
        children.add(name);
        if (Names.isMember(name) && (stat.getEphemeralOwner() != 0 || !isComplete)) {
            addUnreadable(name, stat, why);
            denied.add(name);
        } else {
            reportForeign(name);
        }
    }

    /** Puts a child of the members' node whose name shows that it is foreign. */
    void putForeign(String name) {
        children.add(name);
        reportForeign(name);
    }

    /** Returns the members that the server does not show to this instance. */
    Set<String> denied() {
        return Set.copyOf(denied);
    }

    private void addUnreadable(String name, Stat stat, String why) {
        FormatRange formats = Names.formats(name).orElseThrow();
        unreadable.put(name, new UnreadableMember(name, stat.getCzxid(), stat.getEphemeralOwner(), formats, why));
        problems.put(
                paths.member(name),
                "The member node " + paths.member(name) + sessionOf(stat) + " cannot be read: " + why
                        + ". It counts as a live member, of " + formats
                        + "; this instance does not settle on a view with it. Check the access rights and the versions of the"
                        + " instances.");
    }

    private static String sessionOf(Stat stat) {
        return stat.getEphemeralOwner() == 0 ? "" : " of session 0x" + Long.toHexString(stat.getEphemeralOwner());
    }

    void remove(String name) {
        live = Optional.empty();
        children.remove(name);
        members.remove(name);
        unreadable.remove(name);
        denied.remove(name);
        problems.remove(paths.member(name));
    }

    /** Returns how many children the members' node has. */
    public int count() {
        return children.size();
    }

    /** Returns whether the members' node has a child of that name. */
    boolean has(String name) {
        return children.contains(name);
    }

    /** Returns the live members, the unreadable ones included. */
    StoreSnapshot.Live live() {
        if (live.isEmpty()) {
            live = Optional.of(StoreSnapshot.Live.of(List.copyOf(members.values()), List.copyOf(unreadable.values())));
        }
        return live.get();
    }

    private void reportForeign(String name) {
        problems.put(paths.member(name), NodeKind.foreignSentence(paths.member(name)));
    }
}
