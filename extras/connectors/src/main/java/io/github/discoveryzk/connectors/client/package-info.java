// SPDX-License-Identifier: Apache-2.0
/** The connectors that this instance opens, and the exchanges with their peers over HTTP. */
package io.github.discoveryzk.connectors.client;
