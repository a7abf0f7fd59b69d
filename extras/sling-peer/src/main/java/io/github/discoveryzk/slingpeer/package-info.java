// SPDX-License-Identifier: Apache-2.0
/** A cluster of Sling for tests, with the connectors that Sling releases. */
package io.github.discoveryzk.slingpeer;
