// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.spi.ConfigurationReader;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.security.Security.Login;
import io.github.discoveryzk.zk.security.Security.Secret;
import io.github.discoveryzk.zk.security.Security.Store;
import io.github.discoveryzk.zk.security.Security.Tls;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.util.Optional;

/** Reads how an instance authenticates and encrypts. What cannot be used never makes it less secure. */
final class SecuritySettings {
    private final ConfigurationReader reader;

    SecuritySettings(ConfigurationReader reader) {
        this.reader = reader;
    }

    Security read() {
        Optional<Tls> tls = reader.flag("secure", true)
                ? Optional.of(new Tls(store("keyStore"), store("trustStore")))
                : Optional.empty();
        Secret authData = secret("authData");
        String scheme = reader.text("authScheme");
        if (scheme.isEmpty() != authData.equals(Secret.NONE)) {
            reader.report("authScheme", scheme, "authScheme and authData, or authDataPath, need each other", "");
            scheme = "";
        }
        String principal = reader.text("kerberosPrincipal");
        String keytab = path("kerberosKeytab");
        if (principal.isEmpty() != keytab.isEmpty()) {
            reader.report("kerberosPrincipal", principal, "kerberosPrincipal and kerberosKeytab need each other", "");
            principal = "";
        }
        return new Security(
                new Login(
                        scheme,
                        authData,
                        reader.text("saslLoginContext"),
                        principal,
                        principal.isEmpty() ? "" : keytab,
                        reader.text("saslUser"),
                        secret("saslPassword")),
                tls);
    }

    private Store store(String name) {
        return new Store(path(name + ".location"), secret(name + ".password"));
    }

    private Secret secret(String name) {
        return new Secret(reader.secret(name), path(name + "Path"));
    }

    private String path(String name) {
        return BackendSettings.checked(reader, name, SecuritySettings::checkPath);
    }

    private static void checkPath(String value) {
        try {
            FileSystems.getDefault().getPath(value);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("it is not a path", e);
        }
    }
}
