// SPDX-License-Identifier: Apache-2.0
/** The members of each contestant, and what they record. */
package org.apache.sling.discovery.benchmarks.member;
