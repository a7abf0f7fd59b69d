// SPDX-License-Identifier: Apache-2.0
/**
 * The adapter for web consoles on javax servlets. Its classes are those of the package {@code jakarta} with the other
 * servlet API, and are loaded only while such a console is active.
 */
package org.apache.sling.discovery.webconsole.javax;
