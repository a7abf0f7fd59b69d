// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.outside.SecuredOutside;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;

/**
 * A container whose server requires TLS with a certificate and SASL: the login module and the socket of Netty are found inside the bundle,
 * and the container's plug-in resolves the secrets, which occur in no output.
 */
public class SecuredContainerIT extends ContainerTest {

    @Override
    protected Map<String, String> settings() {
        Map<String, Object> all = Container.with(SecuredOutside.settings(), "saslPassword", "$[secret:sasl]");
        all.put("clusterName", cluster());
        return all.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> (String) each.getValue()));
    }

    @Override
    protected Option[] more() {
        try {
            return options(
                    frameworkProperty("org.apache.felix.configadmin.plugin.interpolation.secretsdir")
                            .value(SecuredOutside.secrets().toString()),
                    Setup.bundles("org.osgi.util.converter", "org.apache.felix.configadmin.plugin.interpolation"));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Before
    public void settle() {
        container().untilCurrent();
    }

    @Test
    public void theInstanceIsAMember() {
        assertThat(container().members()).containsExactly(ID);
        assertThat(container().report().problems()).isEmpty();
        assertThat(container().errors()).isEmpty();
    }

    @Test
    public void theLoginWithKerberosIsFoundInTheBundle() throws Exception {
        Bundle zk = container().bundle("io.github.discoveryzk.zk");
        assertThat(zk.loadClass("com.sun.security.auth.module.Krb5LoginModule")).isNotNull();
    }

    @Test
    public void secretsOccurInNoOutput() throws Exception {
        String all = String.join("\n", container().log())
                + container().report()
                + said("topology", false)
                + said("topology", true)
                + said("explain")
                + said("tree")
                + Thread.getAllStackTraces().keySet()
                + beans()
                + SecuredOutside.stored();
        assertThat(all)
                .contains(cluster(), "settled", "round_trip_seconds")
                .doesNotContain(SecuredOutside.SASL_SECRET)
                .doesNotContain(SecuredOutside.DIGEST_SECRET)
                .doesNotContain("the-password-of-all");
    }

    /** Returns everything that can be read with JMX. */
    private static String beans() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        StringBuilder all = new StringBuilder();
        for (ObjectName name : server.queryNames(null, null)) {
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
                all.append(name).append(attribute.getName()).append('=');
                try {
                    Object value = server.getAttribute(name, attribute.getName());
                    all.append(value instanceof Object[] many ? Arrays.deepToString(many) : value);
                } catch (JMException | RuntimeException e) { // Not all can be read.
                    all.append(e);
                }
            }
        }
        return all.toString();
    }
}
