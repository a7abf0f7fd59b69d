// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@link Reason} can be, with its sentence: the one place where sentences of reasons are written. Placeholders stand for arguments, counted
 * from 0: <code>{0}</code> for one as it is, <code>{i0}</code> for the id of an instance, <code>{l0}</code> for a list of all from there on,
 * <code>{b0}</code> for instances from there on, each followed by its listeners, <code>{v0}</code> for the number of a view, <code>{t0}</code> for a duration in milliseconds, and <code>{#0 member}</code> for a count.
 *
 * <p>The store keeps the codes of the first two groups by name, so these names stay as they are.
 */
public enum ReasonCode {
    /** A text of a version that stored no codes. */
    TEXT("{0}"),

    // How a member came or left.
    JOINED("{i0} joined"),
    SESSION_ENDED("{i0} left because its session ended"),
    STOPPED("{i0} stopped"),
    STEPPED_DOWN("{i0} stepped down"),
    REPLACED("{i0} announced itself again"),
    DIED("{i0} died and was started again"),
    DIED_BY("{i0} crashed: {i1} noticed within {t2} that its process has ended"),
    CRASHED("{i0} crashed"),
    CRASHED_BY("{i0} crashed: {i1} noticed its closed connection, and it had not refuted the suspicion {t2} later"),
    EVICTED("{i0} was evicted"),
    EVICTED_BY("{i0} was evicted by {i1}"),
    NODE_GONE("{i0} left: its member node is gone"),
    LATE("{b0} excluded: no acknowledgement within the settle timeout"),
    NODE_UNREADABLE("node {0} excluded: its record cannot be read"),
    MORE_JOINED("and {0} more joined"),
    MORE_LEFT("and {0} more left"),
    MORE_UNREADABLE("and {0} more excluded"),

    // What else makes a view follow another one.
    REGRESSED("the store had regressed to view {v0}"),
    INVALIDATED("a member had invalidated the view"),

    // What JOINED says together with SESSION_ENDED or REPLACED.
    RETURNED("{i0} lost its session and is back"),

    // Why a view is invalidated.
    STARTED("this instance was started"),
    UNSETTLED("this instance is not settled"),
    IS_LEAVING("this instance is leaving"),
    STEPS_DOWN("this instance steps down"),
    SESSION_OVER("the session of this instance is over"),
    NODE_REMOVED("another instance, or a client, has removed the member node of this instance"),
    RECORD_UNREADABLE("the record of this instance in the store cannot be read"),
    LEASE_OVER("the lease is over because the store has not replied in time"),
    CONNECTION_LOST("the connection to the store is lost"),
    OWN_LATE("this instance was excluded because it did not acknowledge in time"),
    OTHER_CLUSTER("the store holds another cluster"),
    OTHER_VIEW("the store holds view {v0}"),
    NO_VIEW("the store holds no view"),
    LEFT("{i0} left"),
    INVALIDATES("{i0} has invalidated it"),
    OTHER_ORDER("the members are in another order"),
    IS_ACKNOWLEDGED("another member has acknowledged it"),
    JOINS("{i0} joins"),
    MORE_JOIN("and {0} more join"),
    MORE_CHANGE("and {0} more left or join"),

    // What an instance waits for.
    SETTLED("settled"),
    CONNECTING("connecting to the store"),
    DISCONNECTED("no usable connection to the store; the last view may be invalidated, so none is current"),
    VIEW_INVALIDATED("view {v0} is invalidated"),
    LEAVING("the instance is leaving the cluster"),
    ANNOUNCING("this instance is announcing itself in the store"),
    ANNOUNCING_NEXT("waiting for listener {0} to return from CHANGING; then this instance announces itself"),
    REJOINING("excluded from the view; this instance rejoins at the end"),
    REJOINING_NEXT(
            "waiting for listener {0} to return from CHANGING; excluded from the view; this instance rejoins at the end"),
    STEPPING_DOWN("this instance steps down and rejoins at the end"),
    STEPPING_DOWN_NEXT(
            "waiting for listener {0} to return from CHANGING; then this instance steps down and rejoins at the end"),
    STEPPING_DOWN_IDLE(
            "this instance led and could not act for a settle timeout; it steps down and rejoins at the end"),
    ACKNOWLEDGING_NEXT(
            "waiting for listener {0} to return from CHANGING; then this instance acknowledges that view {v1} is over",
            "it is excluded in"),
    QUARANTINED(
            "this instance lost its seniority {0} times recently; look for long pauses of its process, a bad"
                    + " connection, or listeners that do not return",
            "it announces itself again in"),
    HELD("instance id {0} is held by process {1} on host {2}, home {3}; this instance joins when that one is"
            + " gone; stop that one, or give this one another id"),
    HELD_BY_PREDECESSOR(
            "instance id {0} is held by process {1} of the same home, probably a predecessor of this instance",
            "if so its session ends in at most"),
    INCOMPATIBLE("this instance reads and writes {0} of records, the members {1}; upgrade the older ones first, to a"
            + " version that supports both"),
    UNREADABLE(
            "this instance cannot read the record of member node {l1} ({0}); it stays CHANGING and publishes nothing until"
                    + " it can; check the access rights and the versions of the instances"),
    UNREADABLE_NEWCOMERS(
            "this instance cannot read the record of member node {l1} ({0}); an instance that can read it publishes the next"
                    + " view; check the access rights and the versions of the instances",
            "the newcomer is excluded in"),
    OWN_RECORD_UNREADABLE(
            "this instance cannot read its own record in member node {0} ({1}) and writes it again; check the access"
                    + " rights"),
    ANNOUNCING_LATER_VIEWS("the store has regressed: notifying the other members of the later views"),
    INVALIDATING("notifying the other members that the view is invalidated"),
    LEASE_CONFIRMATION("waiting for the store to confirm the lease"),
    ACKNOWLEDGEMENTS(
            "waiting for {b1} to acknowledge that view {v0} is over",
            "members that have not acknowledged are excluded in"),
    MANY_ACKNOWLEDGEMENTS(
            "waiting for {1} members to acknowledge that view {v0} is over",
            "members that have not acknowledged are excluded in"),
    COORDINATOR("waiting for the coordinator to publish the next view"),
    QUIET("waiting for the end of the quiet period"),
    VIEW_LOST(
            "the view in the store is gone, cannot be read, or is older than an earlier one; a new view follows after the"
                    + " settle timeout"),
    FEW_INSTANCES("waiting for more instances before the first INIT: the view has {#0 member}, minInstances is {1}"),
    REGROUPING(
            "the store is back after an outage; waiting for members that have to rejoin", "this instance settles in"),
    REGROUPING_NEXT(
            "sessions of view {v0} have ended in an outage; waiting for {l1} to be announced again",
            "the next view is published in"),
    LEAVE_RECORDS("reading from the store how members have left"),
    EARLIER_LEASE(
            "waiting for the end of the lease of leader {i0}, which may not have noticed the change",
            "that lease is over in"),

    // What an operator does meanwhile.
    PASSES("nothing yet"),
    HANGS_HERE(
            "look at a thread dump of this container; if the listener does not return, restart it when it may be stopped"),
    HANGS_ELSEWHERE(
            "look at a thread dump of {i0}; if the listener does not return, restart it when it may be stopped"),
    SILENT_ELSEWHERE("look at the process of {i0}, which does not acknowledge"),
    START_AGAIN("start {l0} again; the log there says why it ended"),
    LOOK_AFTER("look at the process of {l0}, and start it again if it has ended"),
    REACH_STORE(
            "start the servers that do not serve, or mend what keeps this container from them; this instance joins by itself"),
    LEAVE_ID("give this container an id of its own, or stop one of the two"),
    UPGRADE_OTHERS("upgrade the older members first"),
    STOP_COPY("stop process {0} on host {1}, or give it an id of its own"),
    SEE_ATTENTION("see what needs attention"),
    FIND_CAUSE("find out what takes its seniority away so often; it joins by itself"),

    // What an instance does.
    SETTLED_ON("{#0 instance}, leader {i1}, view {v2}"),
    SUSPENDED_ON(
            "connection lost, the view is current until its lease ends: {#0 instance}, leader {i1}, view {v2}",
            "the lease ends in"),
    MEMBERS("{#0 instance}, leader {i1}"),
    NO_ANSWER("no answer from {0}; if that lasts, check whether the servers run and have a quorum, and the network"),
    NOT_CONNECTED_YET("no usable connection yet: {0}"),
    CUT_OFF("no view is current: {0}"),
    REJECTED("the store rejected the request to {0} for instance {i1}: {2}"),
    STORE_REGRESSED(
            "the store shows view {v0} although view {v1} was established before: it was restored from an older state, or it"
                    + " is another store. Views continue above {v1}, so no fencing token is used twice; find out what"
                    + " happened to the store"),
    NOT_LISTENING(
            "crashes of this instance are noticed after the session timeout: it cannot listen at {0} ({1}); check neighbourPort"
                    + " and neighbourAddress"),
    NOT_WATCHED(
            "crashes of {i0} are noticed after the session timeout: {1} does not answer; check its neighbourAddress, and"
                    + " whether the network lets this instance connect"),
    PROPERTY_ADDED("{i0}: {1} added"),
    PROPERTY_REMOVED("{i0}: {1} removed"),
    PROPERTY_CHANGED("{i0}: {1} changed"),
    CLUSTER_APPEARED("cluster {0} with {#1 instance} appeared"),
    CLUSTER_CHANGED("cluster {0} changed: {l2}, leader {i1}"),
    CLUSTER_PROPERTIES("cluster {0} changed properties"),
    CLUSTER_GONE("cluster {0} is gone"),

    // The state of another instance, after its name.
    LAST_KNOWN("as last known: the connection to the store is lost"),
    NOT_KNOWN("this instance has no connection to the store, so it cannot know"),
    NOT_READ("this instance has not read the acknowledgements yet"),
    STOPPING("is stopping and waits for its listeners"),
    HAS_STOPPED("stopped"),
    HAS_NO_CONNECTION("has no connection to the store"),
    MOVED_ON("is a member of view {v0}, which this instance does not hold"),
    STANDS("its view stands as far as this instance knows"),
    AWAITED("has not acknowledged that view {v0} is over"),
    WAS_LATE(
            "{i0} was excluded because it did not acknowledge in time; it rejoins at the end when its listeners have returned"),
    WAS_LATE_BY_LISTENER(
            "{i0} was excluded because it did not acknowledge in time: listener {1} had not returned; it rejoins at the end when"
                    + " its listeners have returned"),
    ID_IS_HELD("its instance id is held by process {0} on host {1}, home {2}, so it is refused"),
    IS_INCOMPATIBLE("it reads and writes {0} of records, the members {1}, so it is refused"),
    WAITS("waits to be admitted to the next view"),
    MISSING("missing from the view: {l1}: {0}; look at the process and its log"),
    COPY(
            "process {0} on host {1}, home {2}, has the id of {i3}, so it is refused: stop it, or give it an id of its own");

    private static final Set<ReasonCode> DEPARTURES = EnumSet.of(
            SESSION_ENDED, STOPPED, STEPPED_DOWN, REPLACED, DIED, DIED_BY, CRASHED, CRASHED_BY, EVICTED, EVICTED_BY);

    /** What several instances can have in common. */
    private static final Map<ReasonCode, String> SHARED = Map.of(
            JOINED, "{l0} joined",
            JOINS, "{l0} join",
            STOPPED, "{l0} stopped",
            CRASHED, "{l0} crashed",
            SESSION_ENDED, "{l0} left because their sessions ended",
            RETURNED, "{l0} lost their sessions and are back");

    private static final Set<ReasonCode> CRASHES = EnumSet.of(SESSION_ENDED, CRASHED_BY, DIED_BY);

    private static final Set<ReasonCode> OWN = EnumSet.of(
            STARTED,
            UNSETTLED,
            IS_LEAVING,
            STEPS_DOWN,
            SESSION_OVER,
            NODE_REMOVED,
            RECORD_UNREADABLE,
            LEASE_OVER,
            CONNECTION_LOST,
            OWN_LATE,
            OTHER_CLUSTER);

    private final String sentence;
    private final String countdown;
    private final int arity;

    ReasonCode(String sentence) {
        this(sentence, "");
    }

    ReasonCode(String sentence, String countdown) {
        this.sentence = sentence;
        this.countdown = countdown;
        this.arity = arity(sentence);
    }

    private static int arity(String sentence) {
        Matcher found = Pattern.compile("\\{([^lb]?)(\\d)").matcher(sentence);
        int arity = 0;
        while (found.find()) {
            arity = Math.max(arity, found.group(2).charAt(0) - '0' + 1);
        }
        return arity;
    }

    static ReasonCode of(LeaveRecord.Kind kind) {
        return valueOf(kind.name());
    }

    String sentence() {
        return sentence;
    }

    /** Returns the sentence for several instances; empty if each needs a sentence. */
    Optional<String> shared() {
        return Optional.ofNullable(SHARED.get(this));
    }

    String countdown() {
        return countdown;
    }

    int arity() {
        return arity;
    }

    boolean isDeparture() {
        return DEPARTURES.contains(this);
    }

    /** Returns whether an instance left in this way without a goodbye, or a loss of its session. */
    public boolean isCrash() {
        return CRASHES.contains(this);
    }

    /** Returns whether the cause lies in the instance that reports it; what happens to others meanwhile does not replace it. */
    public boolean isOwn() {
        return OWN.contains(this);
    }
}
