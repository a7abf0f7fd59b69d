// SPDX-License-Identifier: Apache-2.0
/**
 * The topology page of the web console and its text form. Renders what {@code commons.report} offers and computes nothing
 * about the cluster. Only {@link org.apache.sling.discovery.webconsole.TopologyPlugin} knows servlets and only
 * {@link org.apache.sling.discovery.webconsole.TopologyInventory} knows the inventory.
 */
package org.apache.sling.discovery.webconsole;
