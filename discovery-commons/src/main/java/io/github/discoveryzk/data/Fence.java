// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import org.osgi.annotation.versioning.ProviderType;

/** Proof of a role of this instance that the store can check. Only discovery makes them. */
@ProviderType
public interface Fence {

    /** Returns the number of the role's holder: greater than that of each earlier one. */
    long token();

    /** Says whether the role is held at this moment, by the clock; once false, it is never true again. */
    boolean isHeld();
}
