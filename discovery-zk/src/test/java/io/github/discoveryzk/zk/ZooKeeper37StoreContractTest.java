// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

@ZooKeeperStoreContractTest.ServerVersion("3.7")
final class ZooKeeper37StoreContractTest extends ZooKeeperStoreContractTest {}
