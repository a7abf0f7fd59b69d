// SPDX-License-Identifier: Apache-2.0
/** What is shown, as values without markup: sections with facts, tables and lists, whose lines consist of spans. */
package io.github.discoveryzk.webconsole.content;
