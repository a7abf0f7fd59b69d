// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents have each option of a configuration. */
class DocsOptionsTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.github.discoveryzk.base.osgi.DiscoveryConfig",
                "io.github.discoveryzk.zk.ZooKeeperBackendConfig",
                "io.github.discoveryzk.connectors.osgi.ConnectorConfig",
                "io.github.discoveryzk.work.osgi.WorkConfig",
                "io.github.discoveryzk.zk.server.osgi.ServerConfig"
            })
    void eachOptionIsDocumented(String annotation) throws Exception {
        String documents = read("configuration.md") + read("servers.md");
        TreeSet<String> options = Arrays.stream(Class.forName(annotation).getDeclaredMethods())
                .map(each -> each.getName().replace('_', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(options).isNotEmpty().allMatch(each -> Pattern.compile(
                        "`" + Pattern.quote(each) + "[`:]|" + "^" + Pattern.quote(each) + " =", Pattern.MULTILINE)
                .matcher(documents)
                .find());
    }

    private static String read(String document) throws IOException {
        return Files.readString(PROJECT.resolve("docs").resolve(document));
    }
}
