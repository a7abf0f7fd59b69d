// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import org.junit.jupiter.api.Tag;

/** Between the oldest and the newest. */
@Tag("thorough")
@ZooKeeperStoreContractTest.ServerVersion("3.8")
final class ZooKeeper38StoreContractTest extends ZooKeeperStoreContractTest {}
