// SPDX-License-Identifier: Apache-2.0
/**
 * What a user of discovery writes: a listener and a property provider. Private to the sample bundle. These classes
 * alone use the annotations of Apache Felix SCR, because that is how Sling documents it and how much existing code looks.
 */
package org.apache.sling.discovery.sample;
