// SPDX-License-Identifier: Apache-2.0
/** The components: the server by its configuration, the connect string of {@code discovery-zk}, health check and page section. */
package io.github.discoveryzk.zk.server.osgi;
