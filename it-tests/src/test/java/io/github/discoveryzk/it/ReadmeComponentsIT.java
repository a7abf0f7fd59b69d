// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import aQute.bnd.osgi.Builder;
import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.leader.LeaderLease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;

/** The components in the README and in the documents on shared data and work, compiled and deployed as they are shown, do what is said there. */
public class ReadmeComponentsIT extends ContainerTest {

    private static final Pattern COMPONENT = Pattern.compile("(?s)```java\n(?!import )(.*?public class (\\w+).*?)```");
    private static final String HEAD = "package readme; import org.apache.sling.discovery.*;"
            + " import io.github.discoveryzk.data.*; import io.github.discoveryzk.leader.LeaderLease;"
            + " import io.github.discoveryzk.work.*; import java.util.*; import java.util.concurrent.*;"
            + " import org.osgi.service.component.annotations.*;";
    private static final String LIMIT = "(objectClass=readme.Limit)";
    private static final String FEEDS = "(objectClass=readme.Feeds)";
    private static final String NEWS = "(objectClass=readme.News)";
    private static final String PRINTERS = "(objectClass=readme.Printers)";
    private static final String REPORT = "(objectClass=readme.Report)";

    @Override
    @Configuration
    public Option[] configured() {
        return options(
                composite(super.configured()),
                Setup.bundles("discovery-work"),
                bundle(build().toUri().toString()));
    }

    private static Path build() {
        Path folder = Setup.directory(ReadmeComponentsIT.class, "readme");
        List<String> arguments =
                new ArrayList<>(List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")));
        try (Builder bundle = new Builder()) {
            String documents = Files.readString(Path.of("../README.md"))
                    + Files.readString(Path.of("../docs/data.md"))
                    + Files.readString(Path.of("../docs/work.md"));
            for (MatchResult each : COMPONENT.matcher(documents).results().toList()) {
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
    public void aSettingIsSharedAndShown() {
        untilAsserted(() -> {
            container().call(LIMIT, "set", 7L);
            assertThat(container().call(LIMIT, "get")).isEqualTo(7L);
        });
        assertThat(said("data", (Object) new String[] {"my.app", "limit"}))
                .contains("my.app: limit; kind number; value 7");
    }

    @Test
    public void theQueueIsProcessedOnTheLeader() {
        SharedValue<Long> done = container()
                .service(container().all(SharedData.class).iterator().next())
                .value("my.app", "done", DataKind.NUMBER);
        untilAsserted(() -> assertThat(done.get()).hasValueSatisfying(last -> {
            assertThat(last.value()).isEqualTo(10);
            assertThat(last.token())
                    .hasValue(
                            LeaderLease.of(container().topology()).orElseThrow().token());
        }));
    }

    @Test
    public void theQueuesOfTheKeysAreProcessed() {
        untilAsserted(() -> {
            SharedMap<?> done = (SharedMap<?>) container().call(FEEDS, "done");
            assertThat(done.entries()).hasSize(2).allSatisfy((key, last) -> assertThat(last.value())
                    .isEqualTo(10L));
        });
        assertThat(said("work")).contains("feeds  news").contains("feeds  prices");
    }

    @Test
    public void aComponentIsOnTheOwnerOfAKey() {
        untilAsserted(() -> {
            assertThat(container().count(NEWS)).isEqualTo(1);
            assertThat(container().call(NEWS, "mayPublish")).isEqualTo(true);
        });
    }

    @Test
    public void aClaimIsSeenAndGivenUp() {
        untilAsserted(() -> {
            CompletionStage<?> claimed = (CompletionStage<?>) container().call(PRINTERS, "claim", "first floor");
            assertThat(claimed.toCompletableFuture().join()).isEqualTo(true);
        });
        assertThat(container().call(PRINTERS, "taken")).isEqualTo(Set.of("first floor"));
        container().call(PRINTERS, "release", "first floor");
        untilAsserted(() -> assertThat(container().call(PRINTERS, "taken")).isEqualTo(Set.of()));
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
