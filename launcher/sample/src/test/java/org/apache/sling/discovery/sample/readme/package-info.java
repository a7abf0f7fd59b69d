// SPDX-License-Identifier: Apache-2.0
/** The components that the README shows. */
package org.apache.sling.discovery.sample.readme;
