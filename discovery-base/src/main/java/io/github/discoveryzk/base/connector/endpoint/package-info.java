// SPDX-License-Identifier: Apache-2.0
/** Where peers connect: what replies to their requests, whichever servlet container received them, and what is refused. */
package org.apache.sling.discovery.base.connector.endpoint;
