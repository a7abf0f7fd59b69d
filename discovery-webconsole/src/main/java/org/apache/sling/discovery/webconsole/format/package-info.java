// SPDX-License-Identifier: Apache-2.0
/** The phrases that pages and plain text share, and the escaping of text of unknown origin. */
package org.apache.sling.discovery.webconsole.format;
