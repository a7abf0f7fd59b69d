// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.IOException;

/** Answers the requests of the console. May be called by any thread. */
@FunctionalInterface
public interface Handler {
    void answer(Request request, Response response) throws IOException;
}
