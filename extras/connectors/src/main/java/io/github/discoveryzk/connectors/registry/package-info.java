// SPDX-License-Identifier: Apache-2.0
/** What peers announced: which of it this instance registers and for how long, and the clusters that are shown of it. */
package io.github.discoveryzk.connectors.registry;
