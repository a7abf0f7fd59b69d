// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the classes that make threads or read clocks; everywhere else the build forbids it. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ThreadsAndClocks {}
