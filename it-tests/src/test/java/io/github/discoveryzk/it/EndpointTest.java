// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.containers.ConsoleLine;
import io.github.discoveryzk.launcher.Ports;
import java.util.HashMap;
import java.util.Map;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;

/** Tests of the endpoint of connectors, which run in a container with the HTTP service of Sling and in one with the newest. */
public abstract class EndpointTest extends ContainerTest {

    protected static final String CONNECTORS = "io.github.discoveryzk.connectors";
    protected static final String SERVLET = "/libs/sling/topology";

    private static final String LINE = "it.line";

    @Override
    protected Option[] more() {
        return with(ConsoleLine.STARTER);
    }

    /** Returns the second container, which runs at the same time as the first, in a cluster that the first does not see. */
    @Configuration
    public Option[] jakarta() {
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("rootPath", "/jakarta");
        return options(
                Setup.member(getClass(), settings, ID), composite(with(ConsoleLine.JAKARTA)), Setup.ourBundles());
    }

    private static Option[] with(ConsoleLine line) {
        return options(
                Setup.http(Ports.free()),
                frameworkProperty(LINE).value(line.name()),
                Setup.shell(),
                Setup.bundles(line.http().toArray(String[]::new)));
    }

    final ConsoleLine line() {
        return ConsoleLine.valueOf(container().property(LINE));
    }

    final int port() {
        return Integer.parseInt(container().property(Setup.PORT));
    }

    /** Says whether a servlet is registered. */
    final boolean isOn() {
        return container().finds("(osgi.http.whiteboard.context.path=" + SERVLET + ")");
    }
}
