// SPDX-License-Identifier: Apache-2.0
/** One history of events and one set of laws, for everything that plays instances: at random, exhaustively, or as processes. */
package io.github.discoveryzk.testing.laws;
