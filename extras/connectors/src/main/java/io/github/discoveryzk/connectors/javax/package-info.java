// SPDX-License-Identifier: Apache-2.0
/**
 * The adapter for servlet containers with javax servlets, which the build makes of the package {@code jakarta}. It is loaded only when such a
 * container is active.
 */
package io.github.discoveryzk.connectors.javax;
