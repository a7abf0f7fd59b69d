// SPDX-License-Identifier: Apache-2.0
/** The processes of a run: servers, and groups of members. */
package io.github.discoveryzk.benchmarks.process;
