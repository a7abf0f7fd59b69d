// SPDX-License-Identifier: Apache-2.0
/**
 * The components of the web console: its plugin, the servlet of its events, the filter of its pages, and the printer of
 * the inventory. This bundle renders the reports of {@code commons.report} and computes nothing about the cluster.
 * Consoles, inventories and shells may be missing: only the components that need their classes load them.
 */
package org.apache.sling.discovery.webconsole;
