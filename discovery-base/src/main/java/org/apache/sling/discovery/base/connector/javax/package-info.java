// SPDX-License-Identifier: Apache-2.0
/**
 * The adapter for servlet containers with javax servlets. Its classes are those of the package {@code jakarta} with the other
 * servlet API, and one for containers without whiteboard. They are loaded only while such a container offers its services.
 */
package org.apache.sling.discovery.base.connector.javax;
