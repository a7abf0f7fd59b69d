// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import io.github.discoveryzk.it.Container;
import io.github.discoveryzk.it.Setup;
import io.github.discoveryzk.launcher.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.ops4j.pax.exam.ExamSystem;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.TestContainer;
import org.ops4j.pax.exam.options.FrameworkPropertyOption;
import org.ops4j.pax.exam.spi.PaxExamRuntime;

/** The container of the tests inside, with a web console and without a test in it. */
final class FelixContainer implements TestedContainer {

    private final int port = Ports.free();
    private final ConsoleLine line;
    private final Path log;
    private final TestContainer container;

    FelixContainer(ConsoleLine line) throws IOException {
        this(line, Setup.ourBundles());
    }

    FelixContainer(ConsoleLine line, Option discovery) throws IOException {
        this.line = line;
        Option member = Setup.member(FelixConsoleIT.class, Container.settings(cluster()), id());
        ExamSystem system = PaxExamRuntime.createTestSystem(
                member, Setup.http(port), discovery, Setup.bundles(line.all().toArray(String[]::new)));
        log = Path.of(Stream.of(system.getOptions(FrameworkPropertyOption.class))
                .filter(option -> option.getKey().equals(Setup.LOG))
                .map(option -> (String) option.getValue())
                .findFirst()
                .orElseThrow());
        container = PaxExamRuntime.createContainer(system);
        container.start();
    }

    @Override
    public URI console() {
        return URI.create("http://127.0.0.1:" + port + "/system/console");
    }

    @Override
    public String cluster() {
        return line.name();
    }

    @Override
    public String id() {
        return "embedded";
    }

    @Override
    public Path logFile() {
        return log;
    }

    @Override
    public void close() {
        container.stop();
    }
}
