// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.util.HashMap;
import java.util.Map;
import org.apache.sling.discovery.webconsole.exchange.Request;

/** A request of a test, from a console at {@code /console}. */
public final class Sent {
    public final Map<String, String> parameters = new HashMap<>();
    public final Map<String, String> headers = new HashMap<>();
    public String user = "";

    public Request request(String method, String path) {
        return new Request() {
            @Override
            public String method() {
                return method;
            }

            @Override
            public String path() {
                return path;
            }

            @Override
            public String parameter(String name) {
                return parameters.get(name);
            }

            @Override
            public Map<String, String> parameters() {
                return Map.copyOf(parameters);
            }

            @Override
            public String header(String name) {
                return headers.get(name);
            }

            @Override
            public String user() {
                return user;
            }

            @Override
            public String consoleRoot() {
                return "/console";
            }
        };
    }
}
