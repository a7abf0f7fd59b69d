// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

/**
 * What can befall a simulated cluster. A reply that is lost on a connection that stands is not among it: the connection is a
 * stream that delivers all in order or ends.
 */
enum Action {
    START,
    KILL,
    LEAVE,
    RESTART,
    QUICK_RESTART,
    FLICKER,
    CUT,
    CUT_ALL,
    EXPIRE,
    STALL,
    PAUSE,
    END_EARLY,
    STRAND,
    STUMBLE,
    GIVE_UP_SESSION,
    BLIND,
    DENY_ONE,
    DENY_ALL,
    SLOW,
    VERY_SLOW,
    LISTEN,
    UNLISTEN,
    LISTEN_AGAIN,
    PROPERTY,
    PROPERTY_BURST,
    STAND_DOWN,
    EVICT,
    DELETE_ACKNOWLEDGEMENTS,
    DELETE_ALL,
    SPOIL_VIEW,
    RESTORE_VIEW,
    RESTORE_ALL
}
