// SPDX-License-Identifier: Apache-2.0
/**
 * What members share for applications: follows and writes the nodes below {@code data}. It is a guest: one small packet at a time, and no
 * decision about the cluster depends on it.
 */
package io.github.discoveryzk.zk.data;
