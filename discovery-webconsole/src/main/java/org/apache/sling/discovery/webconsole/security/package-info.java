// SPDX-License-Identifier: Apache-2.0
/** The checks of a request that changes something, and the headers that restrict what a browser does with an answer. */
package org.apache.sling.discovery.webconsole.security;
