// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a class that may create threads or read a clock; the build forbids both everywhere else. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ThreadsAndClocks {}
