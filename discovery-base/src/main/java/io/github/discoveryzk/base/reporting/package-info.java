// SPDX-License-Identifier: Apache-2.0
/** Reports of the topology for consoles, shells and scripts. */
package org.apache.sling.discovery.base.reporting;
