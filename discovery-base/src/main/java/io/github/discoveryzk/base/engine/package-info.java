// SPDX-License-Identifier: Apache-2.0
/**
 * The decision thread of an instance: it passes the events of the store to the protocol, and performs the effects of its
 * decisions.
 */
package io.github.discoveryzk.base.engine;
