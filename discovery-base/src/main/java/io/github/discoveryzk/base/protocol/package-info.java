// SPDX-License-Identifier: Apache-2.0
/** The settling protocol as a pure function: without threads, locks, timers, loggers or the store. */
package io.github.discoveryzk.base.protocol;
