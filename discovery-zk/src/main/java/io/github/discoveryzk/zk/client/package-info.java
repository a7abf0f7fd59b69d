// SPDX-License-Identifier: Apache-2.0
/**
 * The connection to ZooKeeper, its sessions, and the thread on which a store does everything.
 */
package io.github.discoveryzk.zk.client;
