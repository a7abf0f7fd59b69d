// SPDX-License-Identifier: Apache-2.0
/** Reports of the topology for consoles, shells and scripts. */
package io.github.discoveryzk.base.reporting;
