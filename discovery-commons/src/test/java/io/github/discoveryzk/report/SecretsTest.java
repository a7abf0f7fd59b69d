// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.apache.sling.discovery.InstanceDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password",
                "PASSWORD",
                "db.password",
                "dbPassword2",
                "keystorepassword",
                "admin-passwd",
                "clientSecret",
                "secret_key",
                "aws.secretaccesskey",
                "token",
                "accessToken",
                "accesstoken",
                "AUTH_TOKENS",
                "credentials.file",
                "pass-phrase",
                "tls.passphrase",
                "ssh.private.key",
                "PrivateKey",
                "privatekey",
                "api-key",
                "apiKey",
                "APIKey",
                "service.APIKEY",
                "pwd",
            })
    void namesOfSecrets(String name) {
        assertThat(Secrets.isSecret(name)).isTrue();
        assertThat(Secrets.masked(name, "1234")).isEqualTo(Secrets.MASK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "color",
                "tokenizer",
                "org.example.secretary",
                "map.ikey",
                "monkey",
                "public.key",
                "key",
                "pass",
                "compass.word",
                "author",
                "org.apache.sling.instance.name",
                "org.apache.sling.instance.description",
                "org.apache.sling.instance.endpoints",
                "org.apache.sling.event.jobs.consumer.topics",
            })
    void namesOfOthers(String name) {
        assertThat(Secrets.isSecret(name)).isFalse();
        assertThat(Secrets.masked(name, "1234")).isEqualTo("1234");
    }

    @Test
    void standardPropertiesAreShown() throws ReflectiveOperationException {
        List<String> names = new ArrayList<>();
        for (Field field : InstanceDescription.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.get(null) instanceof String name) {
                names.add(name);
            }
        }
        assertThat(names).isNotEmpty().noneMatch(Secrets::isSecret);
    }

    @Test
    void loginsInAddressesAreMasked() {
        assertThat(Secrets.masked("endpoints", "http://me:1234@host:80/a@b,https://me@host/,http://host/?x=@"))
                .isEqualTo(
                        "http://" + Secrets.MASK + "@host:80/a@b,https://" + Secrets.MASK + "@host/,http://host/?x=@");
    }
}
