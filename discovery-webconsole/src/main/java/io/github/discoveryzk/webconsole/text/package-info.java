// SPDX-License-Identifier: Apache-2.0
/** The report as plain text, one fact a line. */
package io.github.discoveryzk.webconsole.text;
