// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import org.junit.jupiter.api.Tag;

/** The oldest one. */
@Tag("thorough")
@ZooKeeperStoreContractTest.ServerVersion("3.7")
final class ZooKeeper37StoreContractTest extends ZooKeeperStoreContractTest {}
