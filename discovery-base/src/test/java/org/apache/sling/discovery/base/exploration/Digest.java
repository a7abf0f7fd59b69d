// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * Condenses the content of the store and the messages in transit to 128 bits: times are relative to now, numbers to those in
 * the store, nodes and sessions are named by the order of their appearance. Times before {@link #LONG_AGO} are equal. Texts for
 * display are ignored.
 */
class Digest {

    private static final long LONG_AGO = -5_000;
    private static final long OLD = 20;
    static final long UNKNOWN = 1L << 40;

    private final int[] nodeNames;
    private final long[] sessionNames = new long[64];
    private final long number;
    private final long version;
    private final long renewals;
    private int nodes;
    private int sessions;
    private long one = 0x243F6A8885A308D3L;
    private long two = 0x13198A2E03707344L;

    Digest(Store store) {
        nodeNames = new int[store.content().created() + 2];
        number = store.number();
        version = store.content().slot().version();
        renewals = store.content().leaseProbe().renewals();
    }

    /** Returns the two halves; the second one is never 0. */
    long[] halves() {
        return new long[] {finish(one), finish(two) | 1};
    }

    private static long finish(long value) {
        long mixed = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        return mixed ^ mixed >>> 33;
    }

    final void add(long value) {
        one = Long.rotateLeft((one ^ value) * 0x9E3779B97F4A7C15L, 29);
        two = Long.rotateLeft((two + value) * 0xC2B2AE3D27D4EB4FL, 31) ^ value;
    }

    final void flags(boolean... flags) {
        long all = 1;
        for (boolean flag : flags) {
            all = all << 1 | (flag ? 1 : 0);
        }
        add(all);
    }

    final void time(long time, long now) {
        add(time > now + UNKNOWN ? UNKNOWN : Math.max(LONG_AGO, time - now));
    }

    final void number(long viewNumber) {
        add(viewNumber == 0 ? UNKNOWN : Math.max(-OLD, viewNumber - number));
    }

    /** Tokens are only compared, and a leader may keep its token over many views. */
    final void token(long token) {
        add(Math.max(-OLD, token - number));
    }

    final void number(OptionalLong viewNumber) {
        number(viewNumber.orElse(0));
    }

    final void renewals(long count) {
        add(Math.max(-OLD, count - renewals));
    }

    final void node(String node) {
        int seniority = Store.seniority(node);
        if (nodeNames[seniority] == 0) {
            nodeNames[seniority] = ++nodes;
        }
        add(nodeNames[seniority]);
    }

    final void node(Optional<String> node) {
        flags(node.isPresent());
        node.ifPresent(this::node);
    }

    final void session(long session) {
        int name = 0;
        while (name < sessions && sessionNames[name] != session) {
            name++;
        }
        if (name == sessions) {
            sessionNames[sessions++] = session;
        }
        add(session == 0 ? -1 : name);
    }

    /** Adds an instance; overridden to give alike instances the same digest. */
    void instance(int index) {
        add(index);
    }

    final void snapshot(StoreSnapshot snapshot) {
        members(snapshot.members());
        add(snapshot.unreadable().size());
        snapshot.unreadable().forEach(member -> node(member.node()));
        slot(snapshot.slot());
        flags(snapshot.acknowledgements().isPresent(), snapshot.leaseProbe().isPresent());
        snapshot.acknowledgements().ifPresent(this::acknowledgements);
        snapshot.leaseProbe().ifPresent(this::leaseProbe);
    }

    final void members(List<Member> members) {
        add(members.size());
        for (Member member : members) {
            node(member.node());
            session(member.session());
            record(member.record());
        }
    }

    private void record(MemberRecord record) {
        String runtimeId = record.process().runtimeId();
        instance(Integer.parseInt(runtimeId, "run-".length(), runtimeId.length(), 10));
        add(record.sessionTimeoutMillis());
        number(record.voidUpTo());
        flags(record.waitingFor().isPresent());
    }

    final void slot(ViewSlot slot) {
        add(Math.max(-OLD, slot.version() - version));
        flags(slot.view().isPresent());
        slot.view().ifPresent(this::view);
    }

    final void view(EstablishedView view) {
        number(view.number());
        number(view.previous());
        token(view.token());
        add(view.sessionTimeoutMillis());
        incarnations(view.members());
        nodes(view.leftOut());
    }

    final void incarnations(List<Incarnation> members) {
        add(members.size());
        members.forEach(member -> node(member.node()));
    }

    private void nodes(Collection<String> unordered) {
        add(unordered.size());
        unordered.stream().sorted(Comparator.comparingInt(Store::seniority)).forEach(this::node);
    }

    final void acknowledgements(Set<Acknowledgement> all) {
        add(all.size());
        all.stream()
                .sorted(Comparator.comparingInt(each -> Store.seniority(each.node())))
                .forEach(each -> {
                    node(each.node());
                    number(each.number());
                });
    }

    final void leaseProbe(LeaseProbe leaseProbe) {
        renewals(leaseProbe.renewals());
        notes(leaseProbe.notes());
    }

    private void notes(Set<DepartureNote> notes) {
        add(notes.size());
        notes.stream()
                .sorted(Comparator.comparingInt(each -> Store.seniority(each.node())))
                .forEach(this::note);
    }

    private void note(DepartureNote note) {
        node(note.node());
        add(note.kind().ordinal());
        node(note.by());
    }

    final void messages(List<Message> messages) {
        add(messages.size());
        messages.forEach(this::message);
    }

    private void message(Message message) {
        add(message.getClass().getName().hashCode());
        if (message instanceof Message.Ask ask) {
            request(ask.request());
        } else if (message instanceof Message.Collect collect) {
            flags(collect.acknowledgements());
        } else if (message instanceof Message.Shown shown) {
            snapshot(shown.snapshot());
        } else if (message instanceof Message.Reply reply) {
            request(reply.request());
            add(reply.outcome().status().ordinal());
            reply.leaseProbe().ifPresent(this::leaseProbe);
        } else if (message instanceof Message.Hello hello) {
            session(hello.session());
            flags(hello.expired());
            snapshot(hello.snapshot());
        }
    }

    final void request(Request request) {
        add(request.kind().getName().hashCode());
        if (request instanceof Request.Announce announce) {
            record(announce.record());
        } else if (request instanceof Request.Delete delete) {
            note(delete.note());
        } else if (request instanceof Request.Update update) {
            node(update.node());
            record(update.record());
        } else if (request instanceof Request.Acknowledge acknowledge) {
            node(acknowledge.node());
            number(acknowledge.number());
        } else if (request instanceof Request.Publish publish) {
            add(publish.expectedVersion() - version);
            node(publish.node());
            view(publish.next());
            notes(publish.heard());
            flags(publish.renewals().isPresent());
            publish.renewals().ifPresent(this::renewals);
        } else if (request instanceof Request.Renew renew) {
            node(renew.node());
            add(renew.slotVersion() - version);
        }
    }
}
