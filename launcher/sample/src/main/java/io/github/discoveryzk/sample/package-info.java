// SPDX-License-Identifier: Apache-2.0
/**
 * Sample code of a user of discovery. Private to the sample bundle. The listener and the property provider use the annotations
 * of Apache Felix SCR, as Sling's documentation and much existing code do; the work for the leader uses the standard ones.
 */
package io.github.discoveryzk.sample;
