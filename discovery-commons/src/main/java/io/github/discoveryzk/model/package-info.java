// SPDX-License-Identifier: Apache-2.0
/**
 * What the store holds, as immutable values. For back ends and for the other bundles of this project, not for applications:
 * the version stays below 1 and any release may change it.
 */
@Version("0.1.0")
package io.github.discoveryzk.model;

import org.osgi.annotation.versioning.Version;
