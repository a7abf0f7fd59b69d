// SPDX-License-Identifier: Apache-2.0
/**
 * What the members of a cluster share: values and maps in the store of discovery, with writes that the store refuses from a leader of the
 * past. For little data that changes seldom; there are neither locks nor queues nor messages.
 */
@Version("1.0.0")
package io.github.discoveryzk.data;

import org.osgi.annotation.versioning.Version;
