// SPDX-License-Identifier: Apache-2.0
/** What the members of a cluster share for applications: copies, listeners, writes and claims of this instance. */
package io.github.discoveryzk.base.data;
