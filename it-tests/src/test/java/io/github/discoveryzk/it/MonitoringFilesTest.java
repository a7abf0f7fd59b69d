// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.containers.Document;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.work.place.Work;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The alert rules, the dashboard and the metrics that instances have. */
class MonitoringFilesTest {

    private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");
    private static final Pattern NAME = Pattern.compile("\\bdiscovery_[a-z_]+");

    /** An instance need not be started to have all metrics. */
    private static Set<String> metrics() {
        try (PlainInstance instance = new PlainInstance("any", ZooKeeperStoreConfig.of("127.0.0.1:1"))) {
            DiscoveryInstance discovery = instance.discovery();
            Work work = new Work(discovery.local(), discovery.data(), Time.SYSTEM, () -> 0);
            discovery.describeParts(() -> List.of(work.section()), true);
            return discovery.reporter().metrics().stream()
                    .map(Metric::fullName)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> named(String file) throws IOException {
        return NAME.matcher(Files.readString(DOCS.resolve(file)))
                .results()
                .map(found -> found.group().replaceFirst("_(bucket|sum|count)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"monitoring/alerts.yml", "monitoring/dashboard.json"})
    void eachMetricExists(String file) throws IOException {
        assertThat(named(file)).hasSizeGreaterThan(5).isSubsetOf(metrics());
    }

    @Test
    void theDashboardShowsEachMetric() throws IOException {
        new ObjectMapper().readTree(DOCS.resolve("monitoring/dashboard.json").toFile());
        assertThat(named("monitoring/dashboard.json")).isEqualTo(metrics());
    }

    @Test
    void thePageForOperatorsExplainsEachMetric() throws IOException {
        assertThat(named("operations.md")).containsAll(metrics());
    }

    @Test
    void theRulesAreValid() throws Exception {
        Promtool.assumeInstalled();
        String rules = DOCS.resolve("monitoring/alerts.yml").toString();
        assertThat(Promtool.check("", "check", "rules", rules)).anyMatch(line -> line.contains("SUCCESS"));
    }

    @Test
    void theRulesNoticeWhatTheyMust() throws Exception {
        Promtool.assumeInstalled();
        String cases =
                Path.of("src/test/resources/alerts-test.yml").toAbsolutePath().toString();
        assertThat(Promtool.check("", "test", "rules", cases)).anyMatch(line -> line.contains("SUCCESS"));
    }

    @Test
    void theConfigurationOfPrometheusIsValid(@TempDir Path folder) throws Exception {
        Promtool.assumeInstalled();
        Path password = Files.writeString(folder.resolve("console"), "admin");
        String block = Document.block("docs/operations.md", "scrape_configs")
                .replace("/etc/prometheus/console", password.toString());
        Path file = Files.writeString(folder.resolve("prometheus.yml"), block);
        assertThat(Promtool.check("", "check", "config", file.toString())).anyMatch(line -> line.contains("SUCCESS"));
    }
}
