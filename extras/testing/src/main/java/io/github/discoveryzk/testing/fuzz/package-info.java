// SPDX-License-Identifier: Apache-2.0
/** Random inputs for code that reads foreign bytes. */
package io.github.discoveryzk.testing.fuzz;
