// SPDX-License-Identifier: Apache-2.0
/** The actions of operators, requested by the forms of the pages, with the checks of a request that changes something. */
package org.apache.sling.discovery.webconsole.action;
