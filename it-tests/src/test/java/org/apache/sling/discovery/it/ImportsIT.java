// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
    private static final String COMMONS = API + ".commons";

    /** Says whether every container provides a package. */
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
        // Internal packages of a JDK may be missing in the next version.
        boolean internal = (name.startsWith("com.sun.") || name.startsWith("sun."))
                && wanted.getValue().contains("resolution:=optional");
        boolean health =
                name.equals("org.apache.felix.hc.api") && wanted.getValue().contains("resolution:=optional");
        boolean scheduler = name.equals("org.apache.sling.commons.scheduler")
                && wanted.getValue().contains("resolution:=optional");
        return internal
                || health
                || scheduler
                || systemPackages.contains(name)
                || name.equals("org.slf4j")
                || name.startsWith("org.slf4j.")
                || name.startsWith("org.osgi.")
                || name.equals(API)
                || name.startsWith(API + ".");
    }

    private static Set<String> ownNeeds(String bundle) {
        return new BundleJar(bundle)
                .needs().stream()
                        .filter(name -> name.equals(API) || name.startsWith(API + "."))
                        .collect(Collectors.toSet());
    }

    @Test
    void theFrameworkListsItsPackages() {
        assertThat(systemPackages).contains("java.lang", "javax.management", "org.xml.sax", "org.osgi.framework");
        assertThat(systemPackages).noneMatch(name -> name.startsWith("org.slf4j") || name.startsWith("jakarta."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"discovery-api", "discovery-commons", "discovery-base", "discovery-zk"})
    void aBundleImportsOnlyTheJdkTheLogAndOsgi(String bundle) {
        assertThat(new BundleJar(bundle).imports().entrySet())
                .as("imports of %s", bundle)
                .isNotEmpty()
                .allMatch(ImportsIT::isCommon);
    }

    @Test
    void whatAnOlderFrameworkLacksIsOptional() {
        assertThat(new BundleJar("discovery-base").imports())
                .hasEntrySatisfying("org.osgi.service.condition", wanted -> assertThat(wanted)
                        .contains("resolution:=optional"));
    }

    @Test
    void theServletContainerMayBeMissing() {
        assertThat(new BundleJar("discovery-base").imports().keySet())
                .noneMatch(name -> name.contains(".servlet") || name.startsWith("org.osgi.service.http"));
        assertThat(dynamicImports("discovery-base"))
                .containsExactlyInAnyOrder(
                        "jakarta.servlet;version=\"[5,7)\"",
                        "jakarta.servlet.http;version=\"[5,7)\"",
                        "javax.servlet;version=\"[3.1,5)\"",
                        "javax.servlet.http;version=\"[3.1,5)\"",
                        "org.osgi.service.http;version=\"[1.2,2)\"",
                        "org.osgi.service.http.context;version=\"[1.0,2)\"",
                        "org.osgi.service.servlet.context;version=\"[2.0,3)\"");
    }

    private static String[] dynamicImports(String bundle) {
        return new BundleJar(bundle).header("DynamicImport-Package").split(",(?=[a-z])");
    }

    @Test
    void consoleInventoryAndShellMayBeMissing() {
        assertThat(new BundleJar("discovery-webconsole").imports().entrySet())
                .isNotEmpty()
                .allMatch(ImportsIT::isCommon);
        assertThat(dynamicImports("discovery-webconsole"))
                .extracting(clause -> clause.split(";")[0])
                .containsExactlyInAnyOrder(
                        "jakarta.servlet",
                        "jakarta.servlet.http",
                        "javax.servlet",
                        "javax.servlet.http",
                        "org.apache.felix.inventory",
                        "org.apache.felix.service.command");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"discovery-api", "discovery-commons", "discovery-base", "discovery-zk", "discovery-webconsole"})
    void noImportGetsAroundTheList(String bundle) {
        BundleJar jar = new BundleJar(bundle);
        if (!Set.of("discovery-base", "discovery-webconsole").contains(bundle)) {
            assertThat(jar.header("DynamicImport-Package")).isNull();
        }
        assertThat(jar.header("Require-Bundle")).isNull();
        assertThat(jar.header("Fragment-Host")).isNull();
        assertThat(jar.header("Bundle-ClassPath")).isNull();
    }

    @Test
    void whatIsExported() {
        assertThat(new BundleJar("discovery-api").exports()).containsExactly(API);
        assertThat(new BundleJar("discovery-api").header("Export-Package")).contains(";version=\"1.0.3\"");
        assertThat(new BundleJar("discovery-commons").exports())
                .containsExactlyInAnyOrder(
                        COMMONS, COMMONS + ".leader", COMMONS + ".model", COMMONS + ".report", COMMONS + ".spi");
        assertThat(new BundleJar("discovery-base").exports())
                .containsExactlyInAnyOrder(API + ".base", API + ".base.environment");
        assertThat(new BundleJar("discovery-zk").exports()).isEmpty();
        assertThat(new BundleJar("discovery-webconsole").exports()).isEmpty();
    }

    @Test
    void dependenciesPointOneWay() {
        assertThat(ownNeeds("discovery-api")).isEmpty();
        assertThat(ownNeeds("discovery-commons")).containsExactly(API);
        assertThat(ownNeeds("discovery-base"))
                .isNotEmpty()
                .allMatch(name -> name.equals(API) || name.startsWith(COMMONS + "."));
        assertThat(ownNeeds("discovery-zk")).isNotEmpty().allMatch(name -> name.startsWith(COMMONS + "."));
        assertThat(ownNeeds("discovery-webconsole")).isSubsetOf(API, COMMONS + ".report");
    }

    @Test
    void aBundleHoldsOnlyItsOwnClasses() {
        assertThat(new BundleJar("discovery-api").packages()).containsExactly(API);
        assertThat(new BundleJar("discovery-commons").packages()).isNotEmpty().allMatch(each -> isIn(each, COMMONS));
        assertThat(new BundleJar("discovery-base").packages())
                .isNotEmpty()
                .allMatch(each -> isIn(each, API + ".base") || isIn(each, "com.fasterxml.jackson.core"));
        assertThat(new BundleJar("discovery-webconsole").packages())
                .isNotEmpty()
                .allMatch(each -> isIn(each, API + ".webconsole") || isIn(each, "com.fasterxml.jackson.core"));
    }

    @Test
    void onlyTheBackEndKnowsZooKeeper() {
        assertThat(new BundleJar("discovery-zk").packages())
                .contains(API + ".zk", "org.apache.zookeeper")
                .anyMatch(each -> isIn(each, "org.apache.curator"))
                .noneMatch(each -> isIn(each, API) && !isIn(each, API + ".zk"));
        assertThat(new BundleJar("discovery-zk").imports().keySet())
                .noneMatch(each -> isIn(each, "org.apache.zookeeper") || isIn(each, "org.apache.curator"));
    }

    private static boolean isIn(String name, String parent) {
        return name.equals(parent) || name.startsWith(parent + ".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"discovery-api", "discovery-commons", "discovery-base", "discovery-zk", "discovery-webconsole"})
    void aBundleCarriesItsLicence(String bundle) {
        BundleJar jar = new BundleJar(bundle);
        assertThat(jar.text("META-INF/LICENSE")).contains("Apache License", "Version 2.0");
        assertThat(jar.text("META-INF/NOTICE")).contains("Discovery on ZooKeeper");
        assertThat(jar.header("Bundle-License")).contains("Apache-2.0");
        assertThat(jar.header("Bundle-SymbolicName")).isEqualTo(bundle);
    }
}
