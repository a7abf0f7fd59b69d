// SPDX-License-Identifier: Apache-2.0
/**
 * The components of this bundle: the page of the web console and the printer of the inventory. This bundle renders the
 * reports of {@code report} and computes nothing about the cluster. Consoles, servlets, inventories and shells may
 * be missing, come later and go: only classes that are loaded when they are there refer to them.
 */
package io.github.discoveryzk.webconsole;
