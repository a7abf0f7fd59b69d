// SPDX-License-Identifier: Apache-2.0
/** HTML in which all text is escaped and every element is closed, and the addresses that pages link to. */
package org.apache.sling.discovery.webconsole.markup;
