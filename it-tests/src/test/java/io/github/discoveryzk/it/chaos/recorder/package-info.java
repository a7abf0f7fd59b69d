// SPDX-License-Identifier: Apache-2.0
/**
 * A bundle that records, in a file for each process, the events of listeners, the times in which the instance is the current
 * leader by its own answer, and the outcomes of its guarded writes. It needs only the framework and the discovery bundles. The
 * times are those of {@link java.lang.System#nanoTime()}, which all processes of a machine share.
 */
package io.github.discoveryzk.it.chaos.recorder;
