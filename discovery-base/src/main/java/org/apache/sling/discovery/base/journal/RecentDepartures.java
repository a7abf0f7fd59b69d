// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.InstanceNames;

/**
 * The members whose nodes went away a short time ago, those that are missing for longer, and the names of the instances that this process has seen, for display.
 * Written by one thread; the values that it returns are immutable.
 */
public final class RecentDepartures {

    static final int KEPT = 20;
    static final long KEPT_MILLIS = 300_000;
    static final int MISSING_KEPT = 100;

    /** For how long a member that is missing is reported. */
    public static final long MISSING_MILLIS = 3_600_000;

    private static final int NAMES_KEPT = 1_000;

    private List<Departed> departed = List.of();
    private InstanceNames names = InstanceNames.NONE;
    private Optional<StoreSnapshot> last = Optional.empty();
    private List<Member> members = List.of();

    /** Compares a snapshot with the one before; a snapshot is empty while there is no session. */
    public void update(Optional<StoreSnapshot> seen, long wallMillis) {
        boolean changed = seen.isPresent() && seen.get() != last.orElse(null);
        if (!changed && !isOver(wallMillis)) {
            return;
        }
        List<Departed> kept = departed;
        if (changed) {
            StoreSnapshot store = seen.get();
            if (!store.members().equals(members)) {
                names = named(store.members());
                kept = withGone(store, wallMillis);
            }
            kept = kept.stream().map(each -> each.resolved(store)).toList();
            members = store.members();
            last = seen;
        }
        kept = bounded(kept, wallMillis);
        departed = kept.equals(departed) ? departed : kept;
    }

    private boolean isOver(long wallMillis) {
        return departed.stream().anyMatch(each -> each.isOver(wallMillis));
    }

    /** Members that left by themselves do not displace those that are missing. */
    private static List<Departed> bounded(List<Departed> all, long wallMillis) {
        List<Departed> kept = new ArrayList<>();
        int missing = 0;
        for (Departed each : all) {
            boolean isMissing = each.isMissing();
            boolean fits = isMissing ? missing < MISSING_KEPT : kept.size() - missing < KEPT;
            if (fits && !each.isOver(wallMillis)) {
                kept.add(each);
                missing += isMissing ? 1 : 0;
            }
        }
        return List.copyOf(kept);
    }

    /** Returns the members that have gone, newest first. */
    List<Departed> departed() {
        return departed;
    }

    InstanceNames names() {
        return names;
    }

    private List<Departed> withGone(StoreSnapshot store, long wallMillis) {
        List<Departed> all = new ArrayList<>();
        Optional<EstablishedView> before = last.flatMap(StoreSnapshot::view);
        Set<String> live = store.liveNodes();
        for (Member member : members) {
            if (!live.contains(member.node())) {
                boolean leftOut = store.view().or(() -> before).stream()
                        .anyMatch(view -> view.leftOut().contains(member.node()));
                boolean led = before.filter(view -> view.leader().node().equals(member.node()))
                        .isPresent();
                all.add(new Departed(
                        member,
                        wallMillis,
                        led,
                        leftOut,
                        before.filter(view -> view.contains(member.node())).isPresent(),
                        Optional.empty(),
                        false,
                        last.flatMap(StoreSnapshot::leaseProbe),
                        Optional.empty()));
            }
        }
        all.addAll(departed);
        return all;
    }

    private InstanceNames named(List<Member> present) {
        if (areKnown(present)) {
            return names;
        }
        Map<String, String> all = new HashMap<>(names.byId().size() > NAMES_KEPT ? Map.of() : names.byId());
        for (Member member : present) {
            InstanceNames.name(member.record().properties())
                    .ifPresentOrElse(name -> all.put(member.instanceId(), name), () -> all.remove(member.instanceId()));
        }
        return new InstanceNames(all);
    }

    private boolean areKnown(List<Member> present) {
        for (Member member : present) {
            String name = InstanceNames.name(member.record().properties()).orElse(null);
            if (!Objects.equals(name, names.byId().get(member.instanceId()))) {
                return false;
            }
        }
        return true;
    }

    /**
     * A member whose node is gone.
     *
     * @param member its last record
     * @param noticedMillis when this instance noticed it, wall-clock
     * @param led whether it led the established view before
     * @param leftOut whether a view had followed without it because it did not acknowledge
     * @param viewed whether the established view had it
     * @param note its departure note; empty when there is none or it was not read
     * @param noteless whether its session is known to have ended: the departure notes were read after it left and before the next
     *     view was published, and there was none, or the cause of that view says so
     * @param probeBefore the last lease probe before it left
     * @param cause the cause of the first view without it; empty until there is one
     */
    public record Departed(
            Member member,
            long noticedMillis,
            boolean led,
            boolean leftOut,
            boolean viewed,
            Optional<DepartureNote> note,
            boolean noteless,
            Optional<LeaseProbe> probeBefore,
            Optional<String> cause) {

        /** Says whether a member of the view is known to have been left out, or to have lost its session without having left. */
        public boolean isMissing() {
            return leftOut || viewed && noteless;
        }

        private boolean isOver(long wallMillis) {
            return noticedMillis + (isMissing() ? MISSING_MILLIS : KEPT_MILLIS) <= wallMillis;
        }

        /** Returns this departure with what a snapshot says of it. */
        private Departed resolved(StoreSnapshot store) {
            if (cause.isPresent()) {
                // The publication has removed the note.
                return this;
            }
            Optional<LeaseProbe> probe = store.leaseProbe();
            Optional<DepartureNote> found = note.or(() -> probe.flatMap(read -> read.of(member.node())));
            Optional<EstablishedView> view = store.view();
            // The publication of the next view removes the note.
            boolean unpublished =
                    view.filter(known -> known.contains(member.node())).isPresent();
            boolean later = probe.isPresent() && probe.get() != probeBefore.orElse(null);
            Optional<String> published = viewed && !unpublished ? view.map(EstablishedView::cause) : Optional.empty();
            return new Departed(
                    member,
                    noticedMillis,
                    led,
                    leftOut,
                    viewed,
                    found,
                    found.isEmpty()
                            && (noteless
                                    || later && unpublished
                                    || published.filter(this::isLost).isPresent()),
                    probeBefore,
                    published);
        }

        /** An instance that does not read departure notes knows only the cause of the view, which has a clause for each departure. */
        private boolean isLost(String viewCause) {
            String lost = new Departure(member.incarnation(), Optional.empty(), Optional.empty()).sentence();
            return List.of(viewCause.split("; ")).contains(lost);
        }
    }
}
