// SPDX-License-Identifier: Apache-2.0
/** How a client of ZooKeeper authenticates and encrypts: settings, key files, login sections, and the reasons of failures. */
package io.github.discoveryzk.zk.security;
