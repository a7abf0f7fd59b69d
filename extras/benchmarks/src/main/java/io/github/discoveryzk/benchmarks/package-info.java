// SPDX-License-Identifier: Apache-2.0
/** Measures how long changes of a cluster take and what they cost, for several contestants side by side. */
package io.github.discoveryzk.benchmarks;
