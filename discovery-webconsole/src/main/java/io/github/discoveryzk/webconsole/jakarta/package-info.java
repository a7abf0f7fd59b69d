// SPDX-License-Identifier: Apache-2.0
/**
 * The adapter for web consoles on jakarta servlets. Its classes are loaded only while such a console is active. The build makes
 * the package {@code javax} of the same source, for consoles on javax servlets.
 */
package io.github.discoveryzk.webconsole.jakarta;
