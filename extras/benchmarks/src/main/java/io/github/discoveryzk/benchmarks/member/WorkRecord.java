// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.io.Serializable;

/**
 * The record of who has which key.
 *
 * @param bytes its size
 * @param decidingMillis how long it takes to decide on the next one, with reading and writing it as maps; a median
 */
public record WorkRecord(int bytes, double decidingMillis) implements Serializable {}
