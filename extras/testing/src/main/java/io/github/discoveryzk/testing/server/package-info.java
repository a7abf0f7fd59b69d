// SPDX-License-Identifier: Apache-2.0
/** A real ZooKeeper server that tests control, and a proxy that disturbs connections. */
package io.github.discoveryzk.testing.server;
