// SPDX-License-Identifier: Apache-2.0
/** The contract of a cluster store, as tests that a back end extends. */
package io.github.discoveryzk.testing;
