// SPDX-License-Identifier: Apache-2.0
/** What a request selects from a report, and reads from the store with a time limit. */
package org.apache.sling.discovery.webconsole.query;
