// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import aQute.bnd.osgi.Builder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;

/** The components in the README, compiled and deployed as they are shown, do what it says. */
public class ReadmeComponentsIT extends ContainerTest {

    private static final Pattern COMPONENT = Pattern.compile("(?s)```java\n(?!import )(.*?public class (\\w+).*?)```");
    private static final String HEAD = "package readme; import org.apache.sling.discovery.*;"
            + " import io.github.discoveryzk.leader.LeaderLease; import org.osgi.service.component.annotations.*;";
    private static final String REPORT = "(objectClass=readme.Report)";

    @Override
    @Configuration
    public Option[] configured() {
        return options(composite(super.configured()), bundle(build().toUri().toString()));
    }

    private static Path build() {
        Path folder = Setup.directory(ReadmeComponentsIT.class, "readme");
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")));
        try (Builder bundle = new Builder()) {
            for (MatchResult each : COMPONENT
                    .matcher(Files.readString(Path.of("../README.md")))
                    .results()
                    .toList()) {
                arguments.add(Files.writeString(folder.resolve(each.group(2) + ".java"), HEAD + each.group(1))
                        .toString());
            }
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                    .as("the compiler, which has written its errors")
                    .isZero();
            bundle.addClasspath(folder.toFile());
            bundle.setProperty("Bundle-SymbolicName", "readme");
            bundle.setProperty("Private-Package", "readme");
            Path file = folder.resolve("readme.jar");
            bundle.build().write(file.toFile());
            assertThat(bundle.getErrors()).isEmpty();
            return file;
        } catch (Exception e) {
            throw new IllegalStateException("the components of the README cannot be built", e);
        }
    }

    @Test
    public void theComponentOnTheLeaderWritesAndAnEarlierLeaderCannot() {
        untilAsserted(() -> {
            assertThat(container().count(REPORT)).isEqualTo(1);
            assertThat(container().call(REPORT, "read")).isEqualTo("written by the leader");
        });
        assertThatThrownBy(() -> container().call(REPORT, "write", 0L, "late"))
                .rootCause()
                .hasMessageContaining("stale token 0");
    }

    @Test
    public void thePropertyIsPublished() {
        untilAsserted(
                () -> assertThat(container().self().getProperty("my.name")).isEqualTo("my value"));
    }

    @Test
    public void theListenerIsCalled() {
        untilAsserted(() -> assertThat(container().report().listeners())
                .anySatisfy(each -> assertThat(each.name()).startsWith("readme.Watcher")));
    }
}
