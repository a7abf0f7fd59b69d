// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

class LauncherOptionsTest {

    @TempDir
    Path folder;

    @Test
    void startsThreeInstancesFromPort8080WithNothingSaid() {
        LauncherOptions options = parse();

        List<ContainerSettings> containers = options.containers(Optional.of("127.0.0.1:1:2:3"));

        assertThat(containers).extracting(ContainerSettings::httpPort).containsExactly(8080, 8081, 8082);
        assertThat(containers)
                .extracting(ContainerSettings::name)
                .containsExactly("instance-1", "instance-2", "instance-3");
        assertThat(containers)
                .extracting(container -> container.frameworkProperties().get("sling.name"))
                .containsExactly("instance-1", "instance-2", "instance-3");
        assertThat(options.servers()).isEqualTo(3);
        assertThat(containers.get(0).discovery()).isEmpty();
        assertThat(containers.get(0).server())
                .isEqualTo(Map.of(
                        "servers",
                        "127.0.0.1:1:2:3",
                        "folder",
                        containers.get(0).directory().resolve("zookeeper-3").toString()));
        assertThat(options.zookeeper()).isEmpty();
        assertThat(options.fresh()).isFalse();
    }

    @Test
    void aFourthInstanceIsAClientOfTheThreeThatCarryServers() {
        ContainerSettings fourth = parse("-n", "4")
                .containers(Optional.of("h:1:2:3,h:4:5:6,h:7:8:9"))
                .get(3);

        assertThat(fourth.server()).isEmpty();
        assertThat(fourth.discovery()).isEqualTo(Map.of("connectString", "h:1,h:4,h:7"));
    }

    @Test
    void handsOverWhatIsSaid() throws Exception {
        Path one = TestBundle.jar(folder.resolve("one.jar"), "one");
        Path two = TestBundle.jar(folder.resolve("two.jar"), "two");
        String[] line = {
            "-n", "1",
            "--port", "9000",
            "--http-address", "0.0.0.0",
            "--dir", folder.resolve("state").toString(),
            "--zookeeper", "a:1,b:2/path",
            "--cluster", "blue",
            "--session-timeout", "4000",
            "--add", one.toString(),
            "--add", two.toString(),
            "--property", "x=1=2",
            "--property", "y=",
            "--fresh"
        };

        LauncherOptions options = parse(line);

        assertThat(options.fresh()).isTrue();
        assertThat(options.zookeeper()).contains("a:1,b:2/path");
        assertThat(options.containers(Optional.empty()))
                .containsExactly(new ContainerSettings(
                        folder.resolve("state/instance-1"),
                        9000,
                        Map.of("connectString", "a:1,b:2/path", "clusterName", "blue", "sessionTimeoutMillis", 4000),
                        Map.of(),
                        Map.of("x", "1=2", "y", "", "sling.name", "instance-1", ContainerProcess.HTTP_HOST, "0.0.0.0"),
                        List.of(one, two),
                        Optional.empty(),
                        Map.of()));
        assertThat(options.servers()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "--instances, 0, out of range",
        "--port, 0, out of range",
        "--port, 65535, too high for 3 instances",
        "--http-address, 192.0.2.1, is not an IPv4 address or name of this machine",
        "--http-address, ::1, is not an IPv4 address or name of this machine",
        "--session-timeout, 10, out of range",
        "--cluster, a b, is not a valid name",
        "--zookeeper, host:port, is not a list of servers",
        "--zookeeper, :1, is not a list of servers",
        "--dir, pom.xml, is not a directory",
        "--add, missing.jar, no such file",
        "--add, pom.xml, it is not a jar",
        "--instances, many, is not an int",
        "--property, novalue, KEY=VALUE",
        "--nothing, x, Unknown option",
    })
    void refusesAWrongValueAndNamesIt(String option, String value, String message) {
        assertThatThrownBy(() -> parse(option, value))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(option)
                .hasMessageContaining(message);
    }

    @Test
    void opensAndAcceptsConnectorsOnlyIfAsked() throws Exception {
        assertThat(parse().containers(Optional.empty()).get(0).connectors()).isEmpty();
        assertThat(parse("--accept").containers(Optional.empty()).get(0).connectors())
                .contains(List.of());
        assertThat(parse("--connect", "http://a/x http://b/x", "--connect", "http://c/x")
                        .containers(Optional.empty()))
                .allSatisfy(container ->
                        assertThat(container.connectors()).contains(List.of("http://a/x http://b/x", "http://c/x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:1,b:2/path", "a:1, b,[::1]:3,[::2]/some/path"})
    void takesServersWithAndWithoutPort(String servers) {
        assertThat(parse("--zookeeper", servers).zookeeper()).contains(servers);
    }

    @Test
    void aServerThatIsGoneIsReportedWithItsAddress() {
        String address = "127.0.0.1:" + Ports.free();

        assertThatThrownBy(() -> parse("--zookeeper", address + "/path").checkServers())
                .isInstanceOf(LaunchException.class)
                .hasMessageContaining(address);
    }

    @Test
    void refusesAJarThatIsNoBundle() throws IOException {
        Path jar = TestBundle.jar(folder.resolve("plain.jar"), null);

        assertThatThrownBy(() -> parse("--add", jar.toString())).hasMessageContaining("it is not a bundle");
    }

    @Test
    void theHelpNamesTheFolderWhereTheStateIs() {
        System.setProperty("launcher.dir", folder.toString());
        try {
            assertThat(new CommandLine(new LauncherOptions()).getUsageMessage().replaceAll("\\s", ""))
                    .contains("(default:" + folder + ")");
            assertThat(parse().directory()).isEqualTo(folder);
        } finally {
            System.clearProperty("launcher.dir");
        }
    }

    @Test
    void theDocumentHasEachOptionAndItsExampleConnectsTwoClusters() throws IOException {
        String document = Files.readString(Path.of("../docs/run.md"));
        assertThat(Pattern.compile("(?m)^\\| .*?(--[a-z-]+)").matcher(document).results())
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(new CommandLine(new LauncherOptions())
                        .getCommandSpec().options().stream()
                                .map(OptionSpec::longestName)
                                .toList());

        List<String> lines = document.lines()
                .filter(line -> line.startsWith("./run "))
                .map(line -> line.substring("./run ".length()))
                .toList();
        assertThat(lines).hasSize(2).allSatisfy(line -> parse(line.split(" ")));
    }

    private static LauncherOptions parse(String... arguments) {
        LauncherOptions options = new LauncherOptions();
        new CommandLine(options).parseArgs(arguments);
        options.check();
        return options;
    }
}
