// SPDX-License-Identifier: Apache-2.0
/**
 * The nodes of the tree: their paths, names and records. Nothing here talks to a server.
 */
package io.github.discoveryzk.zk.tree;
