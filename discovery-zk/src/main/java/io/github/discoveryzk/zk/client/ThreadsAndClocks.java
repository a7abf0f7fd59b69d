// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the classes that may make threads, wait or read a clock. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface ThreadsAndClocks {}
