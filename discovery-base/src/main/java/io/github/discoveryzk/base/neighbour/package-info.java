// SPDX-License-Identifier: Apache-2.0
/** The connections by which an instance notices that the process of another member may have ended. */
package io.github.discoveryzk.base.neighbour;
