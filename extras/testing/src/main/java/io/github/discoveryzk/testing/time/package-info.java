// SPDX-License-Identifier: Apache-2.0
/** Clocks, threads and processes on virtual time. */
package org.apache.sling.discovery.testing.time;
