// SPDX-License-Identifier: Apache-2.0
/** Who has which key: values and pure functions, without clocks and threads. */
package io.github.discoveryzk.work.rules;
