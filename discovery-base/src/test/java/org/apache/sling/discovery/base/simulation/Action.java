// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

/**
 * The disturbances of a simulated cluster. A lost reply on a standing connection is not one of them: the connection is a stream
 * that delivers everything in order or ends.
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
    BLINK,
    EXPIRE,
    STALL,
    PAUSE,
    END_EARLY,
    STRAND,
    STUMBLE,
    ABANDON_SESSION,
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
    RESTORE_ALL,
    RESTORE_SERVERS,
    OTHERS,
    SHARE
}
