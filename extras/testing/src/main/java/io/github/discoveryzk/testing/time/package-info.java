// SPDX-License-Identifier: Apache-2.0
/** Clocks, threads and processes on virtual time. */
package io.github.discoveryzk.testing.time;
