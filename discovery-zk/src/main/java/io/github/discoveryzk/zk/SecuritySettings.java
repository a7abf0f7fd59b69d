// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.security.Security.Login;
import io.github.discoveryzk.zk.security.Security.Secret;
import io.github.discoveryzk.zk.security.Security.Store;
import io.github.discoveryzk.zk.security.Security.Tls;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads how an instance authenticates and encrypts. What cannot be used never makes it less secure. */
final class SecuritySettings {
    private static final Consumer<String> ANY = value -> {};

    private final BackendSettings.Reader reader;

    SecuritySettings(BackendSettings.Reader reader) {
        this.reader = reader;
    }

    Security read() {
        Optional<Tls> tls = flag("secure")
                ? Optional.of(new Tls(
                        store("keyStore"),
                        store("trustStore"),
                        flag("hostnameVerification"),
                        reader.text("enabledProtocols", ANY),
                        reader.text("ciphersuites", ANY)))
                : Optional.empty();
        Secret authData = secret("authData");
        String scheme = reader.text("authScheme", ANY);
        if (scheme.isEmpty() != authData.equals(Secret.NONE)) {
            reader.problem("authScheme", scheme, "authScheme and authData, or authDataPath, need each other", "");
            scheme = "";
        }
        String principal = reader.text("kerberosPrincipal", ANY);
        String keytab = reader.text("kerberosKeytab", SecuritySettings::checkPath);
        if (principal.isEmpty() != keytab.isEmpty()) {
            reader.problem("kerberosPrincipal", principal, "kerberosPrincipal and kerberosKeytab need each other", "");
            principal = "";
        }
        return new Security(
                new Login(
                        scheme,
                        authData,
                        reader.text("saslLoginContext", ANY),
                        principal,
                        principal.isEmpty() ? "" : keytab,
                        reader.text("saslUser", ANY),
                        secret("saslPassword")),
                tls);
    }

    private Store store(String name) {
        return new Store(
                reader.text(name + ".location", SecuritySettings::checkPath),
                secret(name + ".password"),
                reader.text(name + ".type", ANY));
    }

    private Secret secret(String name) {
        return new Secret(reader.text(name, ANY), reader.text(name + "Path", SecuritySettings::checkPath));
    }

    /** A value that is neither true nor false counts as true, which is the secure one. */
    private boolean flag(String name) {
        String value = reader.text(name, ANY).toLowerCase(Locale.ROOT);
        if (!List.of("true", "false").contains(value)) {
            reader.problem(name, value, "it is neither true nor false", "true");
        }
        return !value.equals("false");
    }

    private static void checkPath(String value) {
        try {
            Path.of(value);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("it is not a path", e);
        }
    }
}
