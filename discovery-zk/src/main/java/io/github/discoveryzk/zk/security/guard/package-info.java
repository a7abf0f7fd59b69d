// SPDX-License-Identifier: Apache-2.0
/** Compares the access rights of the nodes with the configured ones, and decides whether an instance may create nodes. */
package io.github.discoveryzk.zk.security.guard;
