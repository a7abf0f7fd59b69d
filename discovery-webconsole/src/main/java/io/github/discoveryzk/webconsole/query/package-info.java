// SPDX-License-Identifier: Apache-2.0
/** What a request selects from a report, and reads from the store with a time limit. */
package io.github.discoveryzk.webconsole.query;
