// SPDX-License-Identifier: Apache-2.0
/** The server-sent events that tell open pages the current revision. */
package org.apache.sling.discovery.webconsole.live;
