// SPDX-License-Identifier: Apache-2.0
/** Faults that are planted into main code to see whether a test notices. */
package io.github.discoveryzk.testing.fault;
