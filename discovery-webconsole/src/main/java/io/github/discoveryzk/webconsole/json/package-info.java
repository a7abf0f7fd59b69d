// SPDX-License-Identifier: Apache-2.0
/** The report as JSON, as the published schema describes it. */
package io.github.discoveryzk.webconsole.json;
