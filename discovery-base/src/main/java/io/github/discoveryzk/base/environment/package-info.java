// SPDX-License-Identifier: Apache-2.0
/** What a process provides to an instance: its identity, clocks and threads. */
@Version("0.1.0")
package io.github.discoveryzk.base.environment;

import org.osgi.annotation.versioning.Version;
