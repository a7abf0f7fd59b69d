// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.spi.ClusterBackend;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.security.Security.Login;
import io.github.discoveryzk.zk.security.Security.Secret;
import io.github.discoveryzk.zk.security.Security.Store;
import io.github.discoveryzk.zk.security.Security.Tls;
import io.github.discoveryzk.zk.tree.Paths;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class BackendSettingsTest {

    @Test
    void nothingConfiguredIsTheDefault() {
        BackendSettings settings = BackendSettings.of(Map.of("service.pid", "x"));
        assertThat(settings.store()).isEqualTo(ZooKeeperStoreConfig.of("127.0.0.1:2181"));
        assertThat(settings.store().address())
                .isEqualTo("ZooKeeper 127.0.0.1:2181, root /sling/discovery, cluster default");
    }

    @Test
    void allCanBeConfiguredAlsoAsText() {
        BackendSettings settings = BackendSettings.of(Map.of(
                "connectString", new String[] {"a:1", "b:2/base"},
                "rootPath", "/r",
                "clusterName", "blue",
                "sessionTimeoutMillis", " 4000 "));
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.store().servers().serverList()).isEqualTo("a:1,b:2");
        assertThat(settings.store().paths()).isEqualTo(new Paths("/base/r", "blue"));
        assertThat(settings.store().sessionTimeoutMillis()).isEqualTo(4000);
    }

    @ParameterizedTest
    @CsvSource({
        "connectString, |,|host:port|host:99999|host:2181/a//b",
        "rootPath, |sling|/|/a/../b|/a/|/zookeeper/x",
        "clusterName, |.|..|a/b|a b",
        "sessionTimeoutMillis, ten|99|600001|99999999999"
    })
    void wrongValueIsReportedAndReplacedByTheDefault(ArgumentsAccessor line) {
        String key = line.getString(0);
        // A list of servers has commas itself.
        String all = line.toList().stream().skip(1).map(String::valueOf).collect(Collectors.joining(","));
        for (String value : all.split("\\|", -1)) {
            BackendSettings settings = BackendSettings.of(Map.of(key, value));
            assertThat(settings.problems())
                    .singleElement()
                    .asString()
                    .contains("'" + value + "'", key, BackendSettings.PID, "cannot be used: ", "is used instead.");
            assertThat(settings.store()).isEqualTo(BackendSettings.of(Map.of()).store());
        }
    }

    @Test
    void securityCanBeConfiguredUnderZooKeepersNames() {
        BackendSettings settings = BackendSettings.of(Map.ofEntries(
                Map.entry("secure", true),
                Map.entry("keyStore.location", "/k.p12"),
                Map.entry("keyStore.password", "one"),
                Map.entry("trustStore.location", "/t"),
                Map.entry("trustStore.passwordPath", "/p"),
                Map.entry("authScheme", "digest"),
                Map.entry("authData", "a:b"),
                Map.entry("saslUser", "u"),
                Map.entry("saslPasswordPath", "/s")));
        assertThat(settings.problems()).isEmpty();
        Security security = settings.store().security();
        assertThat(security.tls())
                .contains(new Tls(new Store("/k.p12", new Secret("one", "")), new Store("/t", new Secret("", "/p"))));
        assertThat(security.login())
                .isEqualTo(new Login("digest", new Secret("a:b", ""), "", "", "", "u", new Secret("", "/s")));
        assertThat(BackendSettings.of(Map.of()).store().security()).isEqualTo(Security.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "secure, maybe",
        "authScheme, digest",
        "authData, user:hidden",
        "kerberosPrincipal, app@REALM",
        "kerberosKeytab, /keytab"
    })
    void halfASecurityIsReportedAndNeverLessSecure(String key, String value) {
        BackendSettings settings = BackendSettings.of(Map.of(key, value));
        assertThat(settings.problems())
                .singleElement()
                .asString()
                .contains(BackendSettings.PID)
                .doesNotContain("hidden");
        assertThat(settings.store().security().tls().isPresent()).isEqualTo(key.equals("secure"));
    }

    @Test
    void noSecretIsPrintedAndAnotherOneIsAnotherStore() {
        Map<String, Object> all = new HashMap<>(Map.of("secure", "true", "authScheme", "digest", "saslUser", "u"));
        for (String key : List.of("keyStore.password", "trustStore.password", "authData", "saslPassword")) {
            all.put(key, "hidden-" + key);
            // Not a text, so that it is reported.
            assertThat(BackendSettings.of(Map.of("secure", true, key, List.of("hidden")))
                            .problems()
                            .toString())
                    .contains(key)
                    .doesNotContain("hidden");
        }
        BackendSettings settings = BackendSettings.of(all);
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.toString() + settings.store().address()).doesNotContain("hidden");
        assertThat(settings.store()).isEqualTo(BackendSettings.of(all).store());
        all.put("authData", "changed");
        assertThat(settings.store()).isNotEqualTo(BackendSettings.of(all).store());
    }

    @Test
    void valuesOfAnyTypeAreSurvived() {
        for (String key : List.of("connectString", "rootPath", "secure", "sessionTimeoutMillis")) {
            assertThat(BackendSettings.of(Map.of(key, new Object())).problems()).hasSize(1);
            assertThat(BackendSettings.of(Map.of(key, new int[] {1})).problems())
                    .hasSize(1);
        }
    }

    private static Access access(Object acl, Object readers) {
        return BackendSettings.of(Map.of("acl", acl, "aclRead", readers))
                .store()
                .access();
    }

    @Test
    void accessRightsAreATextOrAList() {
        assertThat(BackendSettings.of(Map.of()).store().access()).isEqualTo(Access.OPEN);
        assertThat(access(" open ", "world")).isEqualTo(Access.OPEN);
        assertThat(access("x509:CN=a,O=b:cdrwa", "").words()).isEqualTo("x509:CN=a,O=b:cdrwa");
        assertThat(access(new String[] {"creator", "sasl:a:cdrwa"}, List.of("world", "sasl:m:r"))
                        .words())
                .isEqualTo("creator, sasl:a:cdrwa, world:anyone:r, sasl:m:r");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "creator,open", "opened", "digest:a:secret:cdrwa", "world"})
    void wrongAccessRightsNeverOpenTheStore(String acl) {
        BackendSettings settings = BackendSettings.of(Map.of("acl", acl));
        assertThat(settings.store().access().entries()).isEmpty();
        assertThat(settings.store().access().refusal()).hasValueSatisfying(sentence -> assertThat(sentence)
                .startsWith("The values of acl and aclRead in the configuration io.github.discoveryzk.zk cannot be"
                        + " used: ")
                .endsWith(" This instance stays out of ZooKeeper, so that no node has other rights.")
                .doesNotContain("secret"));
        assertThat(settings.store().toString()).doesNotContain("secret");
        assertThat(access(new Object[] {acl, 7}, "").refusal()).isPresent();
        assertThat(access(7, "").refusal()).isPresent();
    }

    @Test
    void wrongReadersKeepTheInstanceOutToo() {
        assertThat(access("creator", "world:anyone:rw").refusal()).isPresent();
        assertThat(access("creator", 7).refusal()).isPresent();
    }

    /** The component that offers the configured cluster as a service. */
    @Nested
    class Component {
        private final List<ClusterBackend> offered = new ArrayList<>();
        private final List<ClusterBackend> withdrawn = new ArrayList<>();
        private final ZooKeeperBackend component = new ZooKeeperBackend();

        /** A context, and a registration, in which only registering and unregistering the service is expected. */
        private BundleContext context() {
            return (BundleContext) proxy(BundleContext.class, "registerService", arguments -> {
                assertThat(arguments[0]).isEqualTo(ClusterBackend.class);
                ClusterBackend service = (ClusterBackend) arguments[1];
                offered.add(service);
                return proxy(ServiceRegistration.class, "unregister", none -> {
                    withdrawn.add(service);
                    return null;
                });
            });
        }

        private Object proxy(Class<?> type, String expected, Function<Object[], Object> answer) {
            return Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        assertThat(method.getName()).isEqualTo(expected);
                        return answer.apply(arguments);
                    });
        }

        @Test
        void offersTheConfiguredClusterAndWithdrawsItOnce() {
            component.activate(context(), Map.of("connectString", "a:1/base", "clusterName", "blue"));
            assertThat(offered).hasSize(1);
            assertThat(offered.get(0).sessionTimeoutMillis()).isEqualTo(10_000);
            assertThat(offered.get(0).address()).isEqualTo("ZooKeeper a:1, root /base/sling/discovery, cluster blue");
            component.deactivate();
            assertThat(withdrawn).isEqualTo(offered);
        }

        @Test
        void anotherClusterIsAnotherService() {
            component.activate(context(), Map.of("clusterName", "blue"));
            component.modified(Map.of("clusterName", "green"));
            assertThat(withdrawn).containsExactly(offered.get(0));
            assertThat(offered).hasSize(2);
            assertThat(offered.get(1).address()).endsWith("cluster green");
            component.deactivate();
            assertThat(withdrawn).isEqualTo(offered);
        }
    }
}
