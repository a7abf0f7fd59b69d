// SPDX-License-Identifier: Apache-2.0
/** A cluster store in memory, on virtual time. */
package org.apache.sling.discovery.testing.memory;
