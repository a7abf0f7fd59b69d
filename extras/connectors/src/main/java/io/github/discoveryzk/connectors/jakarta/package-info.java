// SPDX-License-Identifier: Apache-2.0
/**
 * The adapter for servlet containers with jakarta servlets. Its classes are loaded only while such a container offers its
 * services.
 */
package io.github.discoveryzk.connectors.jakarta;
