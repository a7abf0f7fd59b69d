// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

@ZooKeeperStoreContractTest.ServerVersion("3.8")
final class ZooKeeper38StoreContractTest extends ZooKeeperStoreContractTest {}
