// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Settling.Changing;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.StoreSnapshot;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The lease of the leader of the view that is being replaced: whether that leader may still act on it. The doubt ends either
 * when the leader itself says so (it has acknowledged, or left), or by proof: its number of renewals was read, did not change
 * for the length of a lease, and is checked in the publication itself. A timer alone never ends it.
 *
 * @param progress the progress of the change
 * @param changing the state of this instance before the decision
 * @param viewLost whether there was a view that cannot be read now, so that its leader is unknown
 */
record EarlierLease(
        Decision decision, StoreSnapshot store, ChangeProgress progress, Changing changing, boolean viewLost) {

    private Facts facts() {
        return decision.facts();
    }

    /** Says whether the leader of the view is sure to have stopped acting on it. */
    boolean isOver() {
        return !needsLeaveRecords() && (!isDoubtful() || store.leaseProbe().isPresent() && decision.isReached(over()));
    }

    /**
     * Says whether to read how members have left, or how often the lease has been renewed. A leader in doubt may live and
     * renew, so its renewals are read again after a while.
     */
    boolean needsLeaseProbe() {
        return needsLeaveRecords()
                || isDoubtful() && (store.leaseProbe().isEmpty() || decision.isReached(leaseProbeDue()));
    }

    /** Returns when the renewals are read again; never unless the leader is in doubt. */
    long leaseProbeDue() {
        return isDoubtful()
                ? facts().confirmations().leaseProbed() + facts().link().timeoutMillis() / 3
                : Long.MAX_VALUE;
    }

    /** Says whether to read how members have left: once for each change of the candidates. */
    boolean needsLeaveRecords() {
        return decision.candidates().memberGone()
                && (store.leaseProbe().isEmpty()
                        || !progress.isLeaseProbed(facts().confirmations().leaseProbed()));
    }

    /** Returns when the lease is over unless it is renewed; in the past unless the leader is in doubt. */
    long over() {
        return isDoubtful() ? LeaseTerm.over(facts().seen().renewalsSince(), sessionTimeoutMillis()) : Long.MIN_VALUE;
    }

    /** Returns the number of renewals that the publication must check; empty unless the leader is in doubt. */
    OptionalLong renewals() {
        return isDoubtful()
                ? OptionalLong.of(store.leaseProbe().map(LeaseProbe::renewals).orElseThrow())
                : OptionalLong.empty();
    }

    /** Returns the instance id of the leader in doubt; empty when the view is not known. */
    Optional<String> leader() {
        return store.view().map(view -> view.leader().instanceId());
    }

    private boolean isDoubtful() {
        if (viewLost) {
            return true;
        }
        return store.view()
                .map(view -> view.leader().node())
                .filter(leader -> !isOwn(leader) && !hasAcknowledged(leader) && !hasLeft(leader))
                .isPresent();
    }

    /** This instance was that leader and is CHANGING now. */
    private boolean isOwn(String leader) {
        return facts().self().filter(self -> self.node().equals(leader)).isPresent()
                || changing.last().filter(held -> held.self().equals(leader)).isPresent();
    }

    private boolean hasAcknowledged(String leader) {
        return store.acknowledgements()
                .filter(all -> all.contains(new Acknowledgement(leader, progress.number())))
                .isPresent();
    }

    private boolean hasLeft(String leader) {
        return store.leaseProbe()
                .flatMap(leaseProbe -> leaseProbe.of(leader))
                .filter(leaveRecord -> leaveRecord.kind().isReleased())
                .isPresent();
    }

    /**
     * Returns the session timeout by which the leader in doubt counts its lease, or a longer one. The last renewal names it if it is by
     * that leader. Otherwise the leader is of an earlier version, has not renewed yet, or is not known.
     */
    private int sessionTimeoutMillis() {
        Optional<Renewal> last = store.leaseProbe().flatMap(LeaseProbe::last);
        return last.filter(this::isByLeader)
                .map(Renewal::sessionTimeoutMillis)
                .orElseGet(() -> Math.max(
                        longestKnownMillis(),
                        last.map(Renewal::sessionTimeoutMillis).orElse(0)));
    }

    private boolean isByLeader(Renewal renewal) {
        return !viewLost
                && store.view()
                        .filter(view -> view.leader().node().equals(renewal.node()))
                        .isPresent();
    }

    private int longestKnownMillis() {
        int viewed = store.view().map(EstablishedView::sessionTimeoutMillis).orElse(0);
        int held =
                changing.last().map(last -> last.view().sessionTimeoutMillis()).orElse(0);
        int members =
                Math.max(store.longestSessionTimeoutMillis(), facts().link().timeoutMillis());
        return Math.max(members, Math.max(viewed, held));
    }
}
