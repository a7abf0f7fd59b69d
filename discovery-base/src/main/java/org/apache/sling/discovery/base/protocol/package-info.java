// SPDX-License-Identifier: Apache-2.0
/** The settling protocol as a pure function: no thread, lock, timer, logger or store in here. */
package org.apache.sling.discovery.base.protocol;
