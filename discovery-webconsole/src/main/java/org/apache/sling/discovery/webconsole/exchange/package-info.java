// SPDX-License-Identifier: Apache-2.0
/** A request of the web console and its response, without the servlet API of any line. */
package org.apache.sling.discovery.webconsole.exchange;
