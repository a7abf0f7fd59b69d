// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the classes that may create threads. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface ThreadsAndClocks {}
