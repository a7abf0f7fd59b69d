// SPDX-License-Identifier: Apache-2.0
/** Random inputs for code that reads foreign bytes. */
package org.apache.sling.discovery.testing.fuzz;
