// SPDX-License-Identifier: Apache-2.0
/** Measures single functions without a store or threads. */
package org.apache.sling.discovery.benchmarks.jmh;
