// SPDX-License-Identifier: Apache-2.0
/**
 * What a user of discovery writes. Private to the sample bundle. The listener and the property provider use the annotations of
 * Apache Felix SCR, because that is how Sling documents it and how much existing code looks; the work for the leader uses the
 * standard ones.
 */
package org.apache.sling.discovery.sample;
