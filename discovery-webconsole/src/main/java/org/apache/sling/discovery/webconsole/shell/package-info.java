// SPDX-License-Identifier: Apache-2.0
/** The commands for the shells of Felix and Karaf. */
package org.apache.sling.discovery.webconsole.shell;
