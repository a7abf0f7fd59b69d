// SPDX-License-Identifier: Apache-2.0
/**
 * For operators: the topology page of the web console, and the same as JSON, as text and by shell commands. Renders what
 * {@code commons.report} offers and computes nothing about the cluster. Consoles, inventories and shells may be missing: what
 * knows them is loaded only by them.
 */
package org.apache.sling.discovery.webconsole;
