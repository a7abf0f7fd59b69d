// SPDX-License-Identifier: Apache-2.0
/** A cluster store in memory, on virtual time. */
package io.github.discoveryzk.testing.memory;
