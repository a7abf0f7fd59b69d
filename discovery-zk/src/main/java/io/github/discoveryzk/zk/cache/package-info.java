// SPDX-License-Identifier: Apache-2.0
/**
 * What the store knows of the cluster, kept current by watch events and full reads.
 */
package io.github.discoveryzk.zk.cache;
