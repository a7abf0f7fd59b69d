// SPDX-License-Identifier: Apache-2.0
/**
 * The adapter for servlet containers with javax servlets. The build makes its servlet of the one of the package {@code jakarta}; here is one
 * for containers without whiteboard. They are loaded only while such a container offers its services.
 */
package org.apache.sling.discovery.base.connector.javax;
