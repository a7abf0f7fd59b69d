// SPDX-License-Identifier: Apache-2.0
/** The requests of the web console and their replies, without the servlet API of any line: pages, documents, resources, actions. */
package io.github.discoveryzk.webconsole.http;
