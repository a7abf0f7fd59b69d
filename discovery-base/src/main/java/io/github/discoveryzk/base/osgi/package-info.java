// SPDX-License-Identifier: Apache-2.0
/** The OSGi components: discovery as services of a container. */
package io.github.discoveryzk.base.osgi;
