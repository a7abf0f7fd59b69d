// SPDX-License-Identifier: Apache-2.0
/** The properties of the local instance, collected from property providers. */
package io.github.discoveryzk.base.properties;
