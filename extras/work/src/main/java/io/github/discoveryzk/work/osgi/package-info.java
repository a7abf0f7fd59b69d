// SPDX-License-Identifier: Apache-2.0
/** Work in an OSGi container: workers of the service registry, and ownerships as services. */
package io.github.discoveryzk.work.osgi;
