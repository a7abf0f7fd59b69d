// SPDX-License-Identifier: Apache-2.0
/** The drawings of the pages: the topology, and the timeline of its views. */
package org.apache.sling.discovery.webconsole.drawing;
