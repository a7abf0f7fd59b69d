// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.discoveryzk.model.ForeignText;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceIdentityTest {

    private static final Time TIME = new Time(() -> 0, () -> 1_234);

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "5f2e-4711", "host.example.com_8080", "-", "..a"})
    void acceptsLegalIds(String id) {
        assertThat(InstanceIdentity.ofThisProcess(id, TIME).instanceId()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a/b", "ä", "a\n", "a:8080", "."})
    void refusesOthersAndSaysWhatToGive(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InstanceIdentity.ofThisProcess(id, TIME))
                .withMessageContaining("\"" + id + "\"")
                .withMessageContaining("letters");
    }

    @Test
    void refusesIdsThatAreTooLong() {
        assertThat(ForeignText.isId("x".repeat(200))).isTrue();
        assertThat(ForeignText.isId("x".repeat(201))).isFalse();
    }

    @Test
    void tellsWhereTheProcessIs() {
        InstanceIdentity identity = InstanceIdentity.ofThisProcess("a", TIME);

        assertThat(identity.process().pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(identity.process().home())
                .isEqualTo(Path.of("").toAbsolutePath().toString());
        assertThat(identity.process().host()).isNotEmpty();
        assertThat(identity.process().startedMillis()).isEqualTo(1_234);
    }

    @Test
    void tellsRunsApart() {
        assertThat(InstanceIdentity.ofThisProcess("a", TIME).process().runtimeId())
                .isNotEqualTo(
                        InstanceIdentity.ofThisProcess("a", TIME).process().runtimeId());
    }
}
