// SPDX-License-Identifier: Apache-2.0
/**
 * The requests of the instance, each completed with exactly one outcome.
 */
package io.github.discoveryzk.zk.requests;
