// SPDX-License-Identifier: Apache-2.0
/**
 * What topology connectors write and read, byte by byte as Sling's connectors do: announcements as JSON, gzip, signature,
 * encryption, the path of a request, and the list of the peers that may connect. No class here has a thread, a clock or a
 * connection. Everything that is read is of unknown origin: it is limited, and an {@link
 * io.github.discoveryzk.connectors.wire.InvalidMessage} says what is wrong with it.
 */
package io.github.discoveryzk.connectors.wire;
