// SPDX-License-Identifier: Apache-2.0
/**
 * Starts a cluster of containers on this machine, each in its own process, with a ZooKeeper server if none is given.
 * For people who want to look at a cluster and for tests that need one; no part of what is deployed.
 */
package org.apache.sling.discovery.launcher;
