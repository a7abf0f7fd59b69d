// SPDX-License-Identifier: Apache-2.0
/**
 * The other clusters of the root, and the announcements that the members of all clusters share. No decision of this cluster depends on them.
 */
package io.github.discoveryzk.zk.others;
