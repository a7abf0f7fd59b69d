// SPDX-License-Identifier: Apache-2.0
/** Topology connectors: links over HTTP to clusters elsewhere, in the protocol of Sling. */
package io.github.discoveryzk.connectors;
