// SPDX-License-Identifier: Apache-2.0
/** The pages of the web console. They are complete without JavaScript. */
package org.apache.sling.discovery.webconsole.page;
