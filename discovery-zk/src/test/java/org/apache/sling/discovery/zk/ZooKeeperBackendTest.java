// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.commons.spi.ClusterBackend;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class ZooKeeperBackendTest {
    private final List<ClusterBackend> offered = new ArrayList<>();
    private final List<ClusterBackend> withdrawn = new ArrayList<>();
    private final ZooKeeperBackend component = new ZooKeeperBackend();

    private BundleContext context() {
        return (BundleContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BundleContext.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("registerService");
                    assertThat(arguments[0]).isEqualTo(ClusterBackend.class);
                    offered.add((ClusterBackend) arguments[1]);
                    return registration((ClusterBackend) arguments[1]);
                });
    }

    private Object registration(ClusterBackend service) {
        return Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServiceRegistration.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("unregister");
                    withdrawn.add(service);
                    return null;
                });
    }

    @Test
    void offersTheConfiguredClusterAndWithdrawsItOnce() {
        component.activate(context(), Map.of("connectString", "a:1/base", "clusterName", "blue"));
        assertThat(offered).hasSize(1);
        assertThat(offered.get(0).address()).isEqualTo("ZooKeeper a:1, root /base/sling/discovery, cluster blue");
        component.deactivate();
        assertThat(withdrawn).isEqualTo(offered);
    }

    @Test
    void anotherPolicyCountsAtOnceInTheSameService() {
        component.activate(context(), Map.of());
        component.modified(Map.of("settleTimeoutMillis", 1, "quietMillis", 50, "suspendedPolicy", "STRICT"));
        assertThat(offered).hasSize(1);
        assertThat(withdrawn).isEmpty();
        assertThat(offered.get(0).policy().quietMillis()).isEqualTo(50);
        assertThat(offered.get(0).policy().suspended()).isEqualTo(SuspendedPolicy.STRICT);
        component.deactivate();
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
