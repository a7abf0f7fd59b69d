// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the class that makes the thread of all connections to neighbours. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface ThreadsAndClocks {}
