// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import static org.apache.sling.discovery.zk.tree.RequiredFields.required;
import static org.apache.sling.discovery.zk.tree.RequiredFields.requiredAll;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewDifference.Removal;
import org.apache.sling.discovery.commons.model.ViewHead;

/** Encodes and decodes views and history entries. */
public final class ViewCodec {
    private final Payload payload;

    ViewCodec(Payload payload) {
        this.payload = payload;
    }

    /** Encodes a view. The size is not limited here, because a view is written together with its history entry. */
    public byte[] write(EstablishedView view, int format) {
        return payload.write(ViewWire.of(view, format));
    }

    public byte[] write(HistoryEntry entry, int format) {
        return payload.write(EntryWire.of(entry, format));
    }

    public EstablishedView readView(byte[] bytes) throws Unreadable {
        return payload.read(bytes, ViewWire.class).view();
    }

    public HistoryEntry readEntry(byte[] bytes) throws Unreadable {
        return payload.read(bytes, EntryWire.class).entry();
    }

    private static void checkPlausible(int sessionTimeout) throws Unreadable {
        if (!Plausibility.isSessionTimeout(sessionTimeout)) {
            throw new Unreadable("it has a session timeout of " + sessionTimeout + " ms");
        }
    }

    /** Reasons that an earlier version stored as a text stay a text. */
    private static List<List<String>> stored(List<Reason> cause) {
        String text = Reason.sentence(cause);
        return cause.equals(Reason.ofText(text)) ? null : Reason.toStored(cause);
    }

    private static List<Member> wires(Collection<Incarnation> incarnations) {
        return incarnations.stream()
                .map(one -> new Member(one.node(), one.instanceId()))
                .toList();
    }

    private static List<Incarnation> incarnations(Collection<Member> wires, String name) throws Unreadable {
        List<Incarnation> incarnations = new ArrayList<>();
        for (Member member : requiredAll(wires, name)) {
            incarnations.add(incarnation(member.node(), member.id()));
        }
        return incarnations;
    }

    private static Incarnation incarnation(String node, String id) throws Unreadable {
        return new Incarnation(required(node, "node"), required(id, "id"));
    }

    private record Member(String node, String id) {}

    private record ViewWire(
            int format,
            long number,
            long previous,
            long token,
            int sessionTimeout,
            long leaderSince,
            List<Member> members,
            Set<String> leftOut,
            String cause,
            List<List<String>> reasons,
            String publisher)
            implements Payload.Wire {

        static ViewWire of(EstablishedView view, int format) {
            return new ViewWire(
                    format,
                    view.number(),
                    view.previous(),
                    view.token(),
                    view.sessionTimeoutMillis(),
                    view.head().leaderSinceMillis(),
                    wires(view.members()),
                    new TreeSet<>(view.leftOut()),
                    Reason.sentence(view.cause()),
                    stored(view.cause()),
                    view.head().publisher());
        }

        EstablishedView view() throws Unreadable {
            checkPlausible(sessionTimeout);
            try {
                return new EstablishedView(
                        new ViewHead(
                                number,
                                previous,
                                token,
                                sessionTimeout,
                                leaderSince,
                                Reason.ofStored(reasons, required(cause, "cause")),
                                required(publisher, "publisher")),
                        incarnations(members, "members"),
                        requiredAll(leftOut, "leftOut"));
            } catch (IllegalArgumentException e) {
                throw new Unreadable(e.getMessage());
            }
        }
    }

    /** Earlier versions write no kind. A kind of a later version is read as none. */
    private record DepartureWire(String node, String id, String kind, String by) {

        static DepartureWire of(Departure departure) {
            return new DepartureWire(
                    departure.member().node(),
                    departure.member().instanceId(),
                    departure.kind().map(DepartureNoteName::word).orElse(null),
                    departure.by().orElse(null));
        }

        Departure departure() throws Unreadable {
            return new Departure(
                    incarnation(node, id),
                    Optional.ofNullable(kind).flatMap(DepartureNoteName::kind),
                    Optional.ofNullable(by));
        }
    }

    private record RemovalWire(int position, String node, String id) {

        static RemovalWire of(Removal removal) {
            return new RemovalWire(
                    removal.position(),
                    removal.member().node(),
                    removal.member().instanceId());
        }

        Removal removal() throws Unreadable {
            return new Removal(position, incarnation(node, id));
        }
    }

    /**
     * Earlier versions write no reasons and read the texts {@code cause} and {@code late}, of which the latter follows from the other
     * fields.
     */
    private record EntryWire(
            int format,
            long number,
            long previous,
            long token,
            int sessionTimeout,
            long leaderSince,
            List<RemovalWire> removed,
            List<Member> joined,
            Set<String> leftOut,
            String cause,
            List<List<String>> reasons,
            String publisher,
            String leader,
            int size,
            long digest,
            List<DepartureWire> left,
            List<String> late,
            long published,
            long changing)
            implements Payload.Wire {

        static EntryWire of(HistoryEntry entry, int format) {
            ViewDifference difference = entry.difference();
            ViewHead head = difference.head();
            return new EntryWire(
                    format,
                    head.number(),
                    head.previous(),
                    head.token(),
                    head.sessionTimeoutMillis(),
                    head.leaderSinceMillis(),
                    difference.removed().stream().map(RemovalWire::of).toList(),
                    wires(difference.joined()),
                    new TreeSet<>(difference.leftOut()),
                    Reason.sentence(head.cause()),
                    stored(head.cause()),
                    head.publisher(),
                    difference.leader(),
                    difference.size(),
                    difference.digest(),
                    entry.left().stream().map(DepartureWire::of).toList(),
                    entry.late().entrySet().stream()
                            .map(each -> Reason.blamed(each.getKey(), each.getValue()))
                            .toList(),
                    entry.publishedMillis(),
                    entry.changingMillis());
        }

        HistoryEntry entry() throws Unreadable {
            checkPlausible(sessionTimeout);
            try {
                List<Removal> removals = new ArrayList<>();
                for (RemovalWire removal : requiredAll(removed, "removed")) {
                    removals.add(removal.removal());
                }
                List<Departure> departures = new ArrayList<>();
                for (DepartureWire departure : requiredAll(left, "left")) {
                    departures.add(departure.departure());
                }
                ViewHead head = new ViewHead(
                        number,
                        previous,
                        token,
                        sessionTimeout,
                        leaderSince,
                        Reason.ofStored(reasons, required(cause, "cause")),
                        required(publisher, "publisher"));
                ViewDifference difference = new ViewDifference(
                        head,
                        removals,
                        incarnations(joined, "joined"),
                        requiredAll(leftOut, "leftOut"),
                        required(leader, "leader"),
                        size,
                        digest);
                return new HistoryEntry(difference, departures, published, changing);
            } catch (IllegalArgumentException e) {
                throw new Unreadable(e.getMessage());
            }
        }
    }
}
