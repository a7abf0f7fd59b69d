// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWiring;

/** The imports and exports of the bundles, and the dependencies between them. */
class ImportsIT {

    private static final String API = "org.apache.sling.discovery";
    private static final String HELPERS = API + ".commons";
    private static final String OURS = "io.github.discoveryzk";
    private static final Set<String> SHARED =
            Set.of(OURS + ".data", OURS + ".leader", OURS + ".model", OURS + ".report", OURS + ".spi");
    private static final String SLF4J = ";version=\"[1.7,3)\"";
    /** An older framework or a container without health checks, metrics or Sling lacks these. */
    private static final Set<String> OPTIONAL = Set.of(
            "com.codahale.metrics",
            "org.osgi.service.condition",
            "org.apache.felix.hc.api",
            "org.apache.sling.commons.scheduler");

    /** The packages that every container provides. */
    private static Set<String> systemPackages;

    @BeforeAll
    static void askTheFramework(@TempDir Path storage) throws Exception {
        Framework framework =
                new FrameworkFactory().newFramework(Map.of(Constants.FRAMEWORK_STORAGE, storage.toString()));
        framework.init();
        systemPackages = framework.adapt(BundleWiring.class).getCapabilities(BundleRevision.PACKAGE_NAMESPACE).stream()
                .map(each -> (String) each.getAttributes().get(BundleRevision.PACKAGE_NAMESPACE))
                .collect(Collectors.toSet());
        framework.stop();
        framework.waitForStop(0);
    }

    private static boolean isCommon(Map.Entry<String, String> wanted) {
        String name = wanted.getKey();
        boolean optional = wanted.getValue().contains("resolution:=optional");
        // Internal packages of a JDK may be missing in the next version.
        boolean internal = name.startsWith("com.sun.") || name.startsWith("sun.");
        return internal || OPTIONAL.contains(name)
                ? optional
                : systemPackages.contains(name)
                        || Stream.of("org.slf4j", "org.osgi", API, OURS).anyMatch(known -> isIn(name, known));
    }

    private static boolean isIn(String name, String parent) {
        return name.equals(parent) || name.startsWith(parent + ".");
    }

    @Test
    void theFrameworkListsItsPackages() {
        assertThat(systemPackages)
                .contains("java.lang", "javax.management", "org.xml.sax", "org.osgi.framework")
                .noneMatch(name -> name.startsWith("org.slf4j") || name.startsWith("jakarta."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "discovery-api",
                "discovery-commons",
                "discovery-base",
                "discovery-connectors",
                "discovery-zk",
                "discovery-webconsole",
                "discovery-work",
                "discovery-cluster-info",
                "discovery-zk-server"
            })
    void aBundleImportsOnlyTheJdkTheLogAndOsgiAndCarriesItsLicence(String bundle) {
        BundleJar jar = new BundleJar(bundle);
        assertThat(jar.imports().entrySet())
                .as("imports of %s", bundle)
                .isNotEmpty()
                .allMatch(ImportsIT::isCommon)
                .noneMatch(each ->
                        each.getKey().contains(".servlet") || each.getKey().startsWith("org.osgi.service.http"));
        if (!Set.of("discovery-connectors", "discovery-webconsole").contains(bundle)) {
            assertThat(jar.header("DynamicImport-Package")).isNull();
        }
        assertThat(jar.imports().getOrDefault("org.slf4j", SLF4J)).isEqualTo(SLF4J);
        assertThat(jar.header("Require-Capability")).contains("(&(osgi.ee=JavaSE)(version=17))");
        assertThat(Stream.of("Require-Bundle", "Fragment-Host", "Bundle-ClassPath", "Private-Package")
                        .filter(name -> jar.header(name) != null))
                .isEmpty();
        assertThat(jar.text("LICENSE")).contains("Apache License", "Version 2.0");
        assertThat(jar.text("NOTICE")).contains("Discovery on ZooKeeper");
        assertThat(jar.header("Bundle-License")).contains("Apache-2.0");
        assertThat(jar.header("Bundle-SymbolicName"))
                .isEqualTo(OURS + "."
                        + bundle.replace("discovery-", "")
                                .replace("cluster-", "cluster")
                                .replace('-', '.'));
    }

    @Test
    void theServletContainerMayBeMissing() {
        assertThat(dynamicImports("discovery-connectors"))
                .containsExactlyInAnyOrder(
                        "jakarta.servlet;version=\"[5,7)\"",
                        "jakarta.servlet.http;version=\"[5,7)\"",
                        "javax.servlet;version=\"[3.1,5)\"",
                        "javax.servlet.http;version=\"[3.1,5)\"",
                        "org.osgi.service.http.context;version=\"[1.0,2)\"",
                        "org.osgi.service.servlet.context;version=\"[2.0,3)\"");
    }

    private static String[] dynamicImports(String bundle) {
        return new BundleJar(bundle).header("DynamicImport-Package").split(",(?=[a-z])");
    }

    @Test
    void consoleInventoryAndShellMayBeMissing() {
        assertThat(dynamicImports("discovery-webconsole"))
                .containsExactlyInAnyOrder(
                        "jakarta.servlet;version=\"[5,7)\"",
                        "jakarta.servlet.http;version=\"[5,7)\"",
                        "javax.servlet;version=\"[3.1,5)\"",
                        "javax.servlet.http;version=\"[3.1,5)\"",
                        "org.apache.felix.inventory;version=\"[1.0,2)\"",
                        "org.apache.felix.service.command;version=\"[1.0,2)\"");
    }

    @Test
    void whatIsExported() {
        assertThat(new BundleJar("discovery-api").exports()).containsExactly(API);
        assertThat(new BundleJar("discovery-api").header("Export-Package")).contains(";version=\"1.0.3\"");
        assertThat(new BundleJar("discovery-commons").exports())
                .containsExactlyInAnyOrder(
                        HELPERS, OURS + ".data", OURS + ".leader", OURS + ".model", OURS + ".report", OURS + ".spi");
        assertThat(new BundleJar("discovery-base").exports())
                .containsExactlyInAnyOrder(OURS + ".base", OURS + ".base.environment");
        assertThat(new BundleJar("discovery-connectors").exports()).isEmpty();
        assertThat(new BundleJar("discovery-work").exports()).containsExactly(OURS + ".work");
        assertThat(new BundleJar("discovery-zk").exports()).isEmpty();
        assertThat(new BundleJar("discovery-webconsole").exports()).isEmpty();
        assertThat(new BundleJar("discovery-cluster-info").exports())
                .containsExactly("org.osgi.service.clusterinfo", "org.osgi.service.clusterinfo.dto");
        assertThat(new BundleJar("discovery-zk-server").exports()).isEmpty();
    }

    @Test
    void dependenciesPointOneWay() {
        assertThat(new BundleJar("discovery-api").imports().keySet()).allMatch(name -> isIn(name, "java"));
        assertThat(new BundleJar("discovery-commons").needs()).containsExactly(API);
        assertThat(new BundleJar("discovery-cluster-info").needs()).containsExactly(API);
        assertThat(new BundleJar("discovery-base").needs())
                .isNotEmpty()
                .allMatch(name -> name.equals(API) || SHARED.contains(name));
        assertThat(new BundleJar("discovery-connectors").needs())
                .contains(OURS + ".spi")
                .allMatch(name -> name.equals(API) || name.equals(OURS + ".base.environment") || SHARED.contains(name));
        assertThat(new BundleJar("discovery-work").needs())
                .contains(OURS + ".spi")
                .allMatch(name -> name.equals(API)
                        || name.equals(OURS + ".base.environment")
                        || name.equals(OURS + ".work")
                        || SHARED.contains(name));
        assertThat(new BundleJar("discovery-zk").needs()).isNotEmpty().allMatch(SHARED::contains);
        assertThat(new BundleJar("discovery-webconsole").needs()).isSubsetOf(API, OURS + ".model", OURS + ".report");
    }

    @Test
    void aBundleHoldsOnlyItsOwnClasses() {
        assertThat(new BundleJar("discovery-api").packages()).containsExactly(API);
        assertThat(new BundleJar("discovery-commons").packages())
                .isNotEmpty()
                .allMatch(each -> isIn(each, HELPERS) || SHARED.contains(each));
        assertThat(new BundleJar("discovery-base").packages())
                .isNotEmpty()
                .allMatch(each -> isIn(each, OURS + ".base"));
        assertThat(new BundleJar("discovery-connectors").packages())
                .isNotEmpty()
                .allMatch(each -> isIn(each, OURS + ".connectors") || isIn(each, "com.fasterxml.jackson.core"));
        assertThat(new BundleJar("discovery-webconsole").packages())
                .isNotEmpty()
                .allMatch(each -> isIn(each, OURS + ".webconsole") || isIn(each, "com.fasterxml.jackson.core"));
    }

    @Test
    void onlyTheBackEndKnowsZooKeeper() {
        assertThat(new BundleJar("discovery-zk").packages())
                .contains(OURS + ".zk", "org.apache.zookeeper")
                .anyMatch(each -> isIn(each, "org.apache.curator"))
                .noneMatch(each -> isIn(each, API) || isIn(each, OURS) && !isIn(each, OURS + ".zk"));
        assertThat(new BundleJar("discovery-zk").imports().keySet())
                .noneMatch(each -> isIn(each, "org.apache.zookeeper") || isIn(each, "org.apache.curator"));
    }
}
