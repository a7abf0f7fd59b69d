// SPDX-License-Identifier: Apache-2.0
/** The recent past of this instance, for reports and the log; no decision depends on it. */
package io.github.discoveryzk.base.journal;
