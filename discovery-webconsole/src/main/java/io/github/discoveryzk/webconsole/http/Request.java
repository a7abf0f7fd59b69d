// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A request that the console has authenticated.
 *
 * @param method the method, in the case in which the client sent it
 * @param path the decoded path below the console; empty if there is none
 * @param user the name of the user; empty if the console does not know it
 * @param console the path of the console as the browser has to request it, without a slash at the end
 * @param form reads the first value of each parameter of the query or of the form
 * @param headers returns the value of a header, or null
 */
public record Request(
        String method,
        String path,
        String user,
        String console,
        Supplier<Map<String, String>> form,
        UnaryOperator<String> headers) {

    /** Returns the value of a header; empty if there is none. */
    String header(String name) {
        String value = headers.apply(name);
        return value == null ? "" : value;
    }

    Map<String, String> parameters() {
        return form.get();
    }

    /** Returns the first value of a parameter; empty if there is none. */
    String parameter(String name) {
        return parameters().getOrDefault(name, "");
    }
}
