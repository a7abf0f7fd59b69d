// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the few classes that may create threads or read clocks; the build forbids it everywhere else. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ThreadsAndClocks {}
