// SPDX-License-Identifier: Apache-2.0
/** Samples, and the tables that are made of them. */
package io.github.discoveryzk.benchmarks.result;
