// SPDX-License-Identifier: Apache-2.0
/** What is shown, as values without markup: sections with facts, tables and lists, whose lines consist of spans. */
package org.apache.sling.discovery.webconsole.content;
