// SPDX-License-Identifier: Apache-2.0
/** The processes of a run: servers, and groups of members. */
package org.apache.sling.discovery.benchmarks.process;
