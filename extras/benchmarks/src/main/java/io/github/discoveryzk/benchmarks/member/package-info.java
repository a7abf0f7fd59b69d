// SPDX-License-Identifier: Apache-2.0
/** The members of each contestant, and what they record. */
package io.github.discoveryzk.benchmarks.member;
