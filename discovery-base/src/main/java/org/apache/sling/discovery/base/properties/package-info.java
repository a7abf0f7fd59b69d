// SPDX-License-Identifier: Apache-2.0
/** The properties of the own instance, collected from property providers. */
package org.apache.sling.discovery.base.properties;
