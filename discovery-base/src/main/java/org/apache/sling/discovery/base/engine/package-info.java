// SPDX-License-Identifier: Apache-2.0
/** The decision thread of an instance: it feeds the protocol with what the store tells, and performs what the protocol asks for. */
package org.apache.sling.discovery.base.engine;
