// SPDX-License-Identifier: Apache-2.0
/** Where peers connect: what replies to their requests, whichever servlet container received them, and what is refused. */
package io.github.discoveryzk.connectors.endpoint;
