// SPDX-License-Identifier: Apache-2.0
/** Follows nodes on which no decision about the cluster depends: reads them after it, one packet at a time, and those that change. */
package io.github.discoveryzk.zk.follow;
