// SPDX-License-Identifier: Apache-2.0
/** How connectors are configured to work. */
package io.github.discoveryzk.connectors.settings;
