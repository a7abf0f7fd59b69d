// SPDX-License-Identifier: Apache-2.0
/** Which peers are believed: the allow list, signatures, the memory of signed messages, and encryption. */
package io.github.discoveryzk.connectors.trust;
