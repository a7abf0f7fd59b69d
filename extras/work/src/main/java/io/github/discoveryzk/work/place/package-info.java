// SPDX-License-Identifier: Apache-2.0
/** The work of one instance: its agent, and its part as the leader. */
package io.github.discoveryzk.work.place;
