// SPDX-License-Identifier: Apache-2.0
/** Calls of topology event listeners: one at a time for each listener, in a legal order. */
package io.github.discoveryzk.base.dispatch;
