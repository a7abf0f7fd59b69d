// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.Limit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/**
 * A bundle whose listener and property provider cannot be without the discovery service, which calls them: whatever starts first,
 * neither the component runtime nor the framework logs an error or a warning.
 */
public class CleanStartIT extends ContainerTest {

    private static final String APPLIED = "(instance.properties=applied)";
    private static final String NAME = "org.example.applied";
    private static final String COMPONENT =
            """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="%1$s" immediate="%2$s">
              <implementation class="%1$s"/>
              <property name="instance.properties" value="applied"/>
              <service>
                <provide interface="org.apache.sling.discovery.TopologyEventListener"/>
                <provide interface="org.apache.sling.discovery.PropertyProvider"/>
                <provide interface="java.util.function.Supplier"/>
              </service>
              <reference name="discovery" interface="org.apache.sling.discovery.DiscoveryService" bind="bind"/>
            </scr:component>
            """;

    /** Above the levels of the bundles of a test, which go on while these levels come and go. */
    private static final int LOW = 50;

    private static final int MIDDLE = 60;
    private static final int HIGH = 70;

    private BundleContext context;
    private FrameworkStartLevel level;
    private int lowest;
    private Bundle applied;

    @Before
    public void settle() {
        context = FrameworkUtil.getBundle(getClass()).getBundleContext();
        level = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).adapt(FrameworkStartLevel.class);
        lowest = level.getStartLevel();
        container().untilCurrent();
    }

    @After
    public void removeBundle() throws BundleException {
        reach(lowest);
        applied.uninstall();
        own().forEach(each -> each.adapt(BundleStartLevel.class).setStartLevel(lowest));
    }

    private Stream<Bundle> own() {
        return Stream.of("io.github.discoveryzk.commons", "io.github.discoveryzk.base", "io.github.discoveryzk.zk")
                .map(container()::bundle);
    }

    /** Installs the bundle; its component is made when it can be, or not before it is asked for. */
    private void install(boolean immediate) throws Exception {
        applied = context.installBundle(
                NAME,
                new ApplicationBundle(NAME, "org.apache.sling.discovery")
                        .withHeader("Service-Component", "OSGI-INF/component.xml")
                        .withFile(
                                "OSGI-INF/component.xml",
                                COMPONENT.formatted(AppliedListener.class.getName(), immediate))
                        .withClasses(List.of(AppliedListener.class))
                        .jar());
    }

    @Test
    public void aDelayedListenerIsCalledWhateverStartsFirst() throws Exception {
        install(false);
        startInEachOrder();
    }

    @Test
    public void anImmediateListenerIsCalledWhateverStartsFirst() throws Exception {
        install(true);
        startInEachOrder();
    }

    private void startInEachOrder() throws BundleException {
        Bundle base = container().bundle("io.github.discoveryzk.base");
        Bundle store = container().bundle("io.github.discoveryzk.zk");
        for (List<Bundle> order : List.of(
                List.of(applied, base, store),
                List.of(applied, store, base),
                List.of(base, applied, store),
                List.of(store, applied, base),
                List.of(base, store, applied),
                List.of(store, base, applied))) {
            for (Bundle each : order) {
                each.stop();
            }
            for (Bundle each : order) {
                each.start();
            }
            checkCleanStart();
        }
    }

    @Test
    public void aListenerOfALowerStartLevelIsCalled() throws Exception {
        install(false);
        passLevels(LOW);
    }

    @Test
    public void aListenerOfAHigherStartLevelIsCalled() throws Exception {
        install(false);
        passLevels(HIGH);
    }

    private void passLevels(int levelOfListener) throws BundleException {
        own().forEach(each -> each.adapt(BundleStartLevel.class).setStartLevel(MIDDLE));
        applied.adapt(BundleStartLevel.class).setStartLevel(levelOfListener);
        applied.start();
        for (int i = 0; i < 2; i++) {
            reach(lowest);
            assertThat(container().offers("org.apache.sling.discovery.DiscoveryService"))
                    .isFalse();
            reach(HIGH);
            checkCleanStart();
        }
    }

    private void reach(int wanted) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        level.setStartLevel(wanted, event -> reached.complete(null));
        reached.orTimeout(Limit.millis(), TimeUnit.MILLISECONDS).join();
    }

    private void checkCleanStart() {
        untilAsserted(() -> {
            assertThat(container().finds(APPLIED)).isTrue();
            assertThat(events(container().call(APPLIED, "get"))).startsWith("TOPOLOGY_INIT");
            assertThat(container().self().getProperty("applied")).isEqualTo("value");
        });
        assertThat(container().log()).noneMatch(line -> line.startsWith("ERROR") || line.startsWith("WARN"));
    }

    private static List<String> events(Object answer) {
        return ((List<?>) answer).stream().map(String.class::cast).toList();
    }
}
