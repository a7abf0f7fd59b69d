// SPDX-License-Identifier: Apache-2.0
/**
 * A bundle that writes down, in a file for each process, what listeners hear, when the instance holds itself for the current
 * leader, and what becomes of its guarded writes. It needs nothing but the framework and the discovery bundles. A line is a kind
 * and values with tabs between; times are those of {@link java.lang.System#nanoTime()}, which all processes of a machine share.
 */
package org.apache.sling.discovery.it.chaos.recorder;
