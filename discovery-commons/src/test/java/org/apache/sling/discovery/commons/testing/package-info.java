// SPDX-License-Identifier: Apache-2.0
/** A store in memory on virtual time, and the contract that any back end must keep, for tests inside and outside this project. */
package org.apache.sling.discovery.commons.testing;
