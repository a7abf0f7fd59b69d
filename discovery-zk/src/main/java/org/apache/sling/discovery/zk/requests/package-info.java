// SPDX-License-Identifier: Apache-2.0
/**
 * The requests of the instance, each replied exactly once.
 */
package org.apache.sling.discovery.zk.requests;
