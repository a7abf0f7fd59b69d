// SPDX-License-Identifier: Apache-2.0
/**
 * Reads history, acknowledgements and tree for display. Nothing here affects the protocol.
 */
package io.github.discoveryzk.zk.inspect;
