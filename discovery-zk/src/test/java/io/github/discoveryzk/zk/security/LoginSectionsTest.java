// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Sections of several instances beside those of other applications, in the one configuration of the JVM. */
@Isolated("The JVM has one login configuration.")
class LoginSectionsTest {

    @AfterEach
    void reset() {
        LoginSections.remove("a");
        LoginSections.remove("b");
        Configuration.setConfiguration(null);
    }

    /** The configuration of another application, with one section; it asks the configuration before it for all others. */
    private static Configuration other(String name, Configuration before) {
        return new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String asked) {
                if (asked.equals(name)) {
                    return new AppConfigurationEntry[] {
                        new AppConfigurationEntry("x." + name, LoginModuleControlFlag.REQUIRED, Map.of())
                    };
                }
                return before == null ? null : before.getAppConfigurationEntry(asked);
            }
        };
    }

    @Test
    void theConfigurationBeforeAnswersForAllOthersAndIsBackAtTheEnd() {
        Configuration before = other("theirs", null);
        Configuration.setConfiguration(before);
        LoginSections.set("a", "module.A", Map.of());
        LoginSections.set("b", "module.B", Map.of());
        assertThat(LoginSections.module("a")).isEqualTo("module.A");
        assertThat(LoginSections.module("b")).isEqualTo("module.B");
        assertThat(LoginSections.module("theirs")).isEqualTo("x.theirs");
        assertThat(LoginSections.module("unknown")).isEmpty();
        LoginSections.remove("a");
        assertThat(LoginSections.module("a")).isEmpty();
        assertThat(LoginSections.module("b")).isEqualTo("module.B");
        LoginSections.remove("b");
        assertThat(Configuration.getConfiguration()).isSameAs(before);
    }

    @Test
    void aJvmWithoutLoginConfigurationHasNoneAgainAtTheEnd() {
        Configuration.setConfiguration(null);
        LoginSections.set("a", "module.A", Map.of());
        assertThat(LoginSections.module("a")).isEqualTo("module.A");
        assertThat(LoginSections.module("Client")).isEmpty();
        LoginSections.remove("a");
        assertThat(LoginSections.module("a")).isEmpty();
    }

    @Test
    void anotherApplicationMayReplaceTheConfigurationOrBuildOnIt() {
        LoginSections.set("a", "module.A", Map.of());
        Configuration.setConfiguration(other("theirs", null));
        assertThat(LoginSections.module("a")).isEmpty();
        LoginSections.set("a", "module.A", Map.of());
        assertThat(LoginSections.module("a")).isEqualTo("module.A");
        assertThat(LoginSections.module("theirs")).isEqualTo("x.theirs");

        Configuration onTop = other("top", Configuration.getConfiguration());
        Configuration.setConfiguration(onTop);
        LoginSections.set("a", "module.A", Map.of());
        assertThat(Configuration.getConfiguration()).isSameAs(onTop);
        assertThat(LoginSections.module("a")).isEqualTo("module.A");
        LoginSections.remove("a");
        assertThat(Configuration.getConfiguration()).isSameAs(onTop);
        assertThat(LoginSections.module("a")).isEmpty();
        assertThat(LoginSections.module("theirs")).isEqualTo("x.theirs");
    }
}
