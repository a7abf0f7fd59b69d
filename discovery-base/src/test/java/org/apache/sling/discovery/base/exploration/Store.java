// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.sling.discovery.base.protocol.Candidates;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.laws.Chain;

/**
 * The store as an immutable value: what each {@link Request} does to it. Behaves as
 * {@link org.apache.sling.discovery.testing.memory.MemoryEnsemble} does, without time, sessions and messages in transit.
 *
 * @param members the member nodes by seniority; the seniority is the number in the name
 * @param slot the established view
 * @param acknowledgements of the member nodes
 * @param leaseProbe renewals and departure notes
 * @param nodes how many member nodes were ever created
 * @param chain all views ever published
 * @param disagreed whether the members have differed from the view since it was published
 */
record Store(
        List<Member> members,
        ViewSlot slot,
        Set<Acknowledgement> acknowledgements,
        LeaseProbe leaseProbe,
        int nodes,
        Chain chain,
        boolean disagreed) {

    static final String CLUSTER = "the-cluster";

    private static final long FIRST_STAMP = 100;

    static Store empty() {
        return new Store(
                List.of(),
                new ViewSlot(0, FIRST_STAMP, 0, Optional.empty()),
                Set.of(),
                new LeaseProbe(0, Set.of()),
                0,
                Chain.EMPTY,
                false);
    }

    /** The outcome of a request. */
    record Executed(Store store, Outcome outcome) {}

    static int seniority(String node) {
        return Integer.parseInt(node, 2, node.length(), 10);
    }

    boolean isLive(String node) {
        return members.stream().anyMatch(member -> member.node().equals(node));
    }

    Optional<EstablishedView> view() {
        return slot.view();
    }

    long number() {
        return view().map(EstablishedView::number).orElse(FIRST_STAMP);
    }

    StoreSnapshot snapshot(boolean collecting) {
        return new StoreSnapshot(
                CLUSTER,
                members,
                slot,
                collecting ? Optional.of(acknowledgements) : Optional.empty(),
                Optional.empty(),
                List.of());
    }

    Executed execute(Request request, long session) {
        if (request instanceof Request.Announce announce) {
            return done(create(announce.record(), session));
        } else if (request instanceof Request.Delete delete) {
            return done(delete(delete.note()));
        } else if (request instanceof Request.Update update) {
            return isLive(update.node()) ? done(update(update)) : overtaken();
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return isLive(acknowledge.node()) ? done(acknowledge(acknowledge)) : overtaken();
        } else if (request instanceof Request.Publish publish) {
            return publish(publish);
        } else if (request instanceof Request.Renew renew) {
            boolean valid = isLive(renew.node()) && slot.version() == renew.slotVersion();
            return valid ? done(leaseProbed(leaseProbe.renewed(renew.renewal()))) : overtaken();
        }
        return done(this);
    }

    private Executed overtaken() {
        return new Executed(this, Outcome.overtaken("the store had changed"));
    }

    private static Executed done(Store next) {
        return new Executed(next, Outcome.DONE);
    }

    /** Returns the store after the end of a session. */
    Store ended(long session) {
        return without(member -> member.session() == session);
    }

    private Store without(Predicate<Member> gone) {
        List<Member> left = members.stream().filter(gone.negate()).toList();
        Set<String> live = new HashSet<>();
        left.forEach(member -> live.add(member.node()));
        Set<Acknowledgement> known = new HashSet<>(acknowledgements);
        known.removeIf(each -> !live.contains(each.node()));
        return left.size() == members.size() ? this : with(left, known);
    }

    private Store create(MemberRecord record, long session) {
        int seniority = nodes + 1;
        List<Member> more = new ArrayList<>(members);
        more.add(new Member("m-" + seniority, seniority, 0, session, record));
        return new Store(members, slot, acknowledgements, leaseProbe, seniority, chain, disagreed)
                .with(List.copyOf(more), acknowledgements);
    }

    private Store delete(DepartureNote note) {
        Store left = without(member -> member.node().equals(note.node()));
        boolean heard = left != this
                && view().filter(view -> view.contains(note.node())).isPresent();
        if (!heard) {
            return left;
        }
        Set<DepartureNote> notes = new HashSet<>(leaseProbe.notes());
        notes.add(note);
        return left.leaseProbed(leaseProbe.withNotes(notes));
    }

    private Store update(Request.Update update) {
        List<Member> next = members.stream()
                .map(member -> member.node().equals(update.node())
                        ? new Member(update.node(), member.seniority(), 0, member.session(), update.record())
                        : member)
                .toList();
        return with(next, acknowledgements);
    }

    private Store acknowledge(Request.Acknowledge acknowledge) {
        Set<Acknowledgement> more = new HashSet<>(acknowledgements);
        more.removeIf(each -> each.node().equals(acknowledge.node()));
        more.add(new Acknowledgement(acknowledge.node(), acknowledge.number()));
        return new Store(members, slot, Set.copyOf(more), leaseProbe, nodes, chain, disagreed);
    }

    private Executed publish(Request.Publish publish) {
        EstablishedView next = publish.next();
        boolean valid = publish.expectedVersion() == slot.version()
                && isLive(publish.node())
                && publish.renewals().orElse(leaseProbe.renewals()) == leaseProbe.renewals()
                && chain.view(next.number()).isEmpty();
        if (!valid) {
            return overtaken();
        }
        Chain more = Checks.published(this, next);
        Set<DepartureNote> notes = new HashSet<>(leaseProbe.notes());
        notes.removeAll(publish.heard());
        LeaseProbe left = leaseProbe.withNotes(notes);
        return done(new Store(
                        members,
                        new ViewSlot(slot.version() + 1, FIRST_STAMP, 0, Optional.of(next)),
                        acknowledgements,
                        publish.byNextLeader() ? left.renewed(publish.renewal()) : left,
                        nodes,
                        more,
                        false)
                .with(members, acknowledgements));
    }

    private Store leaseProbed(LeaseProbe next) {
        return new Store(members, slot, acknowledgements, next, nodes, chain, disagreed);
    }

    private Store with(List<Member> nextMembers, Set<Acknowledgement> nextAcknowledgements) {
        Store next =
                new Store(nextMembers, slot, Set.copyOf(nextAcknowledgements), leaseProbe, nodes, chain, disagreed);
        return next.disagreed || next.agrees()
                ? next
                : new Store(nextMembers, slot, next.acknowledgements, leaseProbe, nodes, chain, true);
    }

    private boolean agrees() {
        return view().filter(Candidates.of(snapshot(false))::agreeWith).isPresent();
    }
}
