// SPDX-License-Identifier: Apache-2.0
/**
 * One server of the ensemble: which entry of the list it is, when it may start, its data folder and its thread. Knows ZooKeeper,
 * and nothing of OSGi.
 */
package io.github.discoveryzk.zk.server.ensemble;
