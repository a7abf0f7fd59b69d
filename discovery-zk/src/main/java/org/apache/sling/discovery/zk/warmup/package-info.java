// SPDX-License-Identifier: Apache-2.0
/** Loads and compiles the code of a change before the first one. */
package org.apache.sling.discovery.zk.warmup;
