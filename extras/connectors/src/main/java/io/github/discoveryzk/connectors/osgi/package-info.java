// SPDX-License-Identifier: Apache-2.0
/** The OSGi components: connectors by configuration, and their endpoint in servlet containers. */
package io.github.discoveryzk.connectors.osgi;
