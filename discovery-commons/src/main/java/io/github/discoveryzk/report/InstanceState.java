// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

/** The state of one instance of a cluster, as far as the instance that makes the report knows. */
public enum InstanceState {
    /** It acts on the view, and no change is being settled. */
    SETTLED,
    /** It has acknowledged the end of the view that is being replaced. */
    ACKNOWLEDGED,
    /** It is alive, and the change waits for it. Occurs only while a change is being settled. */
    AWAITED,
    /** Its member node is gone. */
    GONE,
    /** It is alive and waits to be admitted to the next view, or it announces itself. */
    JOINING,
    /** It is alive and another instance holds its id, or it shares no format with the members. */
    REFUSED,
    /** It did not acknowledge in time, so the view followed without it. */
    EXCLUDED,
    /** It is a member of the established view, which the reporting instance does not hold. */
    MOVED_ON,
    /** It is the reporting instance, and its connection is lost. */
    CUT_OFF,
    /** The reporting instance cannot know. Not a failure of the instance. */
    UNKNOWN
}
