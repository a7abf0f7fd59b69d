// SPDX-License-Identifier: Apache-2.0
/** What is said of a report: each fact once, for pages and plain text alike. */
package io.github.discoveryzk.webconsole.section;
