// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A web console with the HTTP service and the inventory that go with it, as bundles. */
public enum ConsoleLine {
    /** What Sling Starter 12 has: the console 4.7 on javax servlets. */
    STARTER("org.apache.felix.http.jetty"),
    /** The last console before the move to jakarta servlets. */
    JAVAX("org.apache.felix.http.jetty"),
    /** A console that serves plugins of both kinds. */
    BRIDGE("org.apache.felix.http.jetty"),
    /** The console 5 on jakarta servlets. */
    JAKARTA("org.apache.felix.http.jetty12");

    private final String httpService;

    ConsoleLine(String httpService) {
        this.httpService = httpService;
    }

    /** Returns the lines in which everything is tested: those of Sling and of the newest console; all in the profile {@code thorough}. */
    public static Stream<ConsoleLine> tested() {
        return Boolean.getBoolean("discovery.thorough") ? Stream.of(values()) : Stream.of(STARTER, JAKARTA);
    }

    /** Returns the bundles of the HTTP service, which is the last one. */
    public List<String> http() {
        return List.of(own("org.apache.felix.http.servlet-api"), "commons-io", "commons-fileupload", own(httpService));
    }

    public List<String> inventory() {
        return List.of(own("org.apache.felix.inventory"));
    }

    /** Returns the bundles of the console, which is the last one. */
    public List<String> console() {
        return List.of("encoder", own("org.apache.felix.webconsole"));
    }

    /** Returns the bundles in an order in which each can be started immediately. */
    public List<String> all() {
        return Stream.of(http(), inventory(), console()).flatMap(List::stream).toList();
    }

    private String own(String bundle) {
        return name().toLowerCase(Locale.ROOT) + "/" + bundle;
    }
}
