// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The latest knowledge of an instance, complete and not as a difference: deciding twice on the same facts does nothing the
 * second time.
 *
 * @param own the record to write; the protocol fills in its own fields
 * @param link the connection to the store
 * @param seen what the store has shown
 * @param confirmations the last completed requests
 * @param calmSince since when nothing has hindered this instance from judging others, in monotonic milliseconds: neither a pause, nor a
 *     slow reply, nor the loss of its connection
 * @param suspectingSince when this instance has seen its last suspicion of a live member for the first time, in monotonic milliseconds
 * @param activity what is going on now
 * @param intent what operators or circumstances require of this instance
 * @param wallMillis wall-clock time, for display only
 */
public record Facts(
        MemberRecord own,
        Link link,
        Seen seen,
        Confirmations confirmations,
        long calmSince,
        long suspectingSince,
        Activity activity,
        Intent intent,
        long wallMillis) {

    /** How many slow listeners are named. */
    public static final int NAMED_LISTENERS = 3;

    private static final int NAME_LIMIT = 500;

    public Facts {
        Objects.requireNonNull(own, "own");
        Objects.requireNonNull(link, "link");
        Objects.requireNonNull(seen, "seen");
        Objects.requireNonNull(confirmations, "confirmations");
        Objects.requireNonNull(activity, "activity");
        Objects.requireNonNull(intent, "intent");
    }

    /** Returns the last snapshot of the present session; it is old while the link is not usable. */
    public Optional<StoreSnapshot> store() {
        return seen.store();
    }

    /** Returns the members that the next view would have, as that snapshot shows them. */
    public Candidates candidates() {
        return seen.candidates();
    }

    /** Returns its own member node: made by this process and owned by the present session, never by an earlier one. */
    public Optional<Member> self() {
        return store().flatMap(snapshot -> snapshot.owned(own.process().runtimeId(), link.session()));
    }

    /** Returns until when the last completed request proves that the others count this instance as a member, in monotonic milliseconds. */
    public long heldUntil() {
        return LeaseTerm.end(confirmations.any(), link.timeoutMillis());
    }

    /** Returns its own member node when its record cannot be read. */
    Optional<UnreadableMember> unreadableSelf() {
        return self().isPresent() || link.session() == 0
                ? Optional.empty()
                : store().flatMap(snapshot -> snapshot.unreadableOwned(link.session()));
    }

    /** Says whether every listener has returned from CHANGING. */
    boolean delivered() {
        return activity.delivering().isEmpty();
    }

    /** Names the listeners that have not returned, in a text short enough for the store. */
    String slowListeners() {
        String named = Reason.list(activity.delivering(), NAMED_LISTENERS);
        return named.substring(0, Math.min(NAME_LIMIT, named.length()));
    }

    /**
     * What the store has shown.
     *
     * @param store the last snapshot of the present session
     * @param candidates the members that the next view would have, as that snapshot shows them
     * @param renewalsSince since when the number of renewals has been known, in monotonic milliseconds
     * @param highest the highest number of a view that this process has ever seen, 0 for none
     * @param acknowledged the number of the last view whose acknowledgement by this incarnation is known to be recorded
     */
    public record Seen(
            Optional<StoreSnapshot> store,
            Candidates candidates,
            long renewalsSince,
            long highest,
            OptionalLong acknowledged) {
        public Seen {
            Objects.requireNonNull(store, "store");
            Objects.requireNonNull(candidates, "candidates");
            Objects.requireNonNull(acknowledged, "acknowledged");
        }

        /** Its own node is as new as anything that this process has seen, so an older view next to it is not a late message. */
        boolean isBackwards(StoreSnapshot current) {
            return current.view().isPresent() && current.latestNumber() < remembered(current);
        }

        /** Returns the highest number of a view that this process has seen or the history has. */
        long remembered(StoreSnapshot current) {
            return Math.max(highest, current.slot().recorded());
        }

        /** Returns the same with another snapshot and its candidates. */
        public Seen with(Optional<StoreSnapshot> other, Candidates others, long since) {
            return new Seen(other, others, since, highest, acknowledged);
        }
    }

    /**
     * What is going on now.
     *
     * @param delivering the names of the listeners that have received CHANGING and have not returned from it
     * @param underWay the kinds of requests that are in flight or back off after a failure
     */
    public record Activity(List<String> delivering, Set<Object> underWay) {

        /** Nothing is going on. */
        public static final Activity NONE = new Activity(List.of(), Set.of());

        public Activity {
            delivering = List.copyOf(delivering);
            underWay = Set.copyOf(underWay);
        }
    }

    /**
     * The connection to the store.
     *
     * @param session the id of the present session, 0 when there is none
     * @param timeoutMillis the timeout granted to it
     * @param longestMillis the longest time by which its lease was ever counted: at a reconnect a server may grant another timeout
     * @param usable whether the store is reachable and the snapshot was read after the last interruption
     * @param outageOver when the last outage, in which the store replied nothing for a session timeout, was over for all clients: by
     *     then each of them has connected again or has given up its session; far in the past when there was none
     */
    public record Link(long session, int timeoutMillis, int longestMillis, boolean usable, long outageOver) {
        public static final Link NONE = new Link(0, 0, 0, false, Confirmations.NEVER);
    }

    /**
     * The start times of the last completed requests, in monotonic milliseconds. This instance knows everything that the store
     * knew at that time.
     *
     * @param renewed the last renewal of its own lease, which a quorum has acknowledged
     * @param renewedMillis the session timeout that this renewal names; the lease is counted by no more
     * @param leaseProbed the last lease probe
     * @param any the last request of any kind
     */
    public record Confirmations(long renewed, int renewedMillis, long leaseProbed, long any) {
        private static final long NEVER = Long.MIN_VALUE / 4;

        /** Nothing was ever confirmed; far in the past, but without overflow when times are added. */
        public static final Confirmations NONE = new Confirmations(NEVER, 0, NEVER, NEVER);

        /** Records the success of a request that was started at that time. */
        public Confirmations with(Request request, long startedAt) {
            Optional<Renewal> renewal = renewal(request).filter(one -> startedAt >= renewed);
            return new Confirmations(
                    renewal.isPresent() ? startedAt : renewed,
                    renewal.map(Renewal::sessionTimeoutMillis).orElse(renewedMillis),
                    request instanceof Request.ProbeLease ? Math.max(leaseProbed, startedAt) : leaseProbed,
                    Math.max(any, startedAt));
        }

        private static Optional<Renewal> renewal(Request request) {
            if (request instanceof Request.Renew renew) {
                return Optional.of(renew.renewal());
            }
            return request instanceof Request.Publish publish && publish.byNextLeader()
                    ? Optional.of(publish.renewal())
                    : Optional.empty();
        }
    }

    /** What operators or circumstances require of this instance.
     *
     * @param leaving whether the instance is being stopped
     * @param steppingDown its own member node to give up, so that the instance rejoins at the end of the order
     * @param evictions the member nodes of others to remove
     * @param suspects the members whose processes seem to have ended
     * @param predecessor the runtime id of a predecessor that is proven to have ended
     * @param announceAt the instance does not announce itself before that time, in monotonic milliseconds, because it lost its
     *     seniority too often; in the past if it may do so immediately
     * @param losses how often the seniority was lost recently
     */
    public record Intent(
            boolean leaving,
            Optional<String> steppingDown,
            Set<String> evictions,
            Set<Suspect> suspects,
            Optional<String> predecessor,
            long announceAt,
            int losses) {

        /** No requirement. */
        public static final Intent NONE =
                new Intent(false, Optional.empty(), Set.of(), Set.of(), Optional.empty(), Long.MIN_VALUE, 0);

        public Intent {
            Objects.requireNonNull(steppingDown, "steppingDown");
            Objects.requireNonNull(predecessor, "predecessor");
            evictions = Set.copyOf(evictions);
            suspects = Set.copyOf(suspects);
        }
    }

    /**
     * Another member whose process seems to have ended.
     *
     * @param node its member node
     * @param ended whether the end of the process is proven: its pid with its start time is gone on the same machine, or an operator
     *     trusts a refusal
     * @param since when its connection ended, in monotonic milliseconds
     */
    public record Suspect(String node, boolean ended, long since) {
        public Suspect {
            Objects.requireNonNull(node, "node");
        }
    }
}
