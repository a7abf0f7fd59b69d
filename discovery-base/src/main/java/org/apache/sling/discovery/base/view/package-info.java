// SPDX-License-Identifier: Apache-2.0
/** Views of the discovery API made from what an instance holds, and how long they are current. */
package org.apache.sling.discovery.base.view;
