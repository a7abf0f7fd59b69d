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
        return payload.write(new EntryWire(
                format,
                ViewWire.of(entry.view(), format),
                wires(entry.joined()),
                entry.left().stream().map(DepartureWire::of).toList(),
                entry.leftOut(),
                entry.publishedMillis(),
                entry.changingMillis()));
    }

    public EstablishedView readView(byte[] bytes) throws Unreadable {
        return payload.read(bytes, ViewWire.class).view();
    }

    public HistoryEntry readEntry(byte[] bytes) throws Unreadable {
        EntryWire wire = payload.read(bytes, EntryWire.class);
        EstablishedView view = required(wire.view(), "view").view();
        List<Departure> left = new ArrayList<>();
        for (DepartureWire departure : requiredAll(wire.left(), "left")) {
            left.add(departure.departure());
        }
        return new HistoryEntry(
                view,
                incarnations(wire.joined(), "joined"),
                left,
                requiredAll(wire.leftOut(), "leftOut"),
                wire.published(),
                wire.changing());
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
            String publisher) {

        static ViewWire of(EstablishedView view, int format) {
            return new ViewWire(
                    format,
                    view.number(),
                    view.previous(),
                    view.token(),
                    view.sessionTimeoutMillis(),
                    view.leaderSinceMillis(),
                    wires(view.members()),
                    new TreeSet<>(view.leftOut()),
                    view.cause(),
                    view.publisher());
        }

        EstablishedView view() throws Unreadable {
            if (number > Plausibility.HIGHEST_NUMBER || !Plausibility.isSessionTimeout(sessionTimeout)) {
                throw new Unreadable(
                        "it has the number " + number + " and a session timeout of " + sessionTimeout + " ms");
            }
            try {
                return new EstablishedView(
                        number,
                        previous,
                        token,
                        sessionTimeout,
                        leaderSince,
                        incarnations(members, "members"),
                        requiredAll(leftOut, "leftOut"),
                        required(cause, "cause"),
                        required(publisher, "publisher"));
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

    private record EntryWire(
            int format,
            ViewWire view,
            List<Member> joined,
            List<DepartureWire> left,
            List<String> leftOut,
            long published,
            long changing) {}
}
