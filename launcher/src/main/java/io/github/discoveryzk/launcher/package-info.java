// SPDX-License-Identifier: Apache-2.0
/**
 * Starts a cluster of containers on this machine, each in its own process, with a ZooKeeper server if none is given. For
 * demonstrations and for tests that need a cluster; not part of a deployment.
 */
package io.github.discoveryzk.launcher;
