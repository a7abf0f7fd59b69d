// SPDX-License-Identifier: Apache-2.0
/** A real ZooKeeper server that tests control, and a proxy that disturbs connections. */
package org.apache.sling.discovery.testing.server;
