// SPDX-License-Identifier: Apache-2.0
/** How a client of ZooKeeper authenticates and encrypts, and who may use its nodes: settings, key files, login sections, reasons of failures. */
package io.github.discoveryzk.zk.security;
