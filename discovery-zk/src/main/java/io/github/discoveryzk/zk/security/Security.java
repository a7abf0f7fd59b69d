// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import io.github.discoveryzk.report.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How an instance authenticates and encrypts. Empty texts stand for what is not configured. Its text has no secret.
 *
 * @param tls how connections are encrypted; empty for not at all
 */
public record Security(Login login, Optional<Tls> tls) {
    public static final Security NONE =
            new Security(new Login("", Secret.NONE, "", "", "", "", Secret.NONE), Optional.empty());

    /** Returns the files from which keys and secrets are read. */
    Stream<Path> files() {
        Stream<String> ofTls = tls.stream()
                .flatMap(used -> Stream.of(used.keyStore, used.trustStore))
                .flatMap(store -> Stream.of(store.location, store.password.path));
        return Stream.concat(Stream.of(login.authData.path, login.saslPassword.path, login.kerberosKeytab), ofTls)
                .filter(path -> !path.isEmpty())
                .map(Path::of);
    }

    /**
     * How an instance authenticates. A scheme and one kind of SASL can be combined.
     *
     * @param authScheme the scheme of {@code addauth}, such as digest
     * @param authData the data for the scheme, user:password for digest
     * @param saslLoginContext a section of the JVM's login configuration
     * @param kerberosPrincipal the principal of this instance
     * @param kerberosKeytab the file with its key
     * @param saslUser the user for SASL with DIGEST-MD5
     */
    public record Login(
            String authScheme,
            Secret authData,
            String saslLoginContext,
            String kerberosPrincipal,
            String kerberosKeytab,
            String saslUser,
            Secret saslPassword) {}

    /**
     * How connections are encrypted. Versions, cipher suites and other types of stores are those of the system properties of ZooKeeper's
     * client, which apply to all clients of a process: one that needs others than its servers offer by default is a rare case. Host names
     * are always checked: a certificate for another host proves nothing.
     *
     * @param trustStore the certificates that the servers' certificates must be signed by; without location those of Java
     */
    public record Tls(Store keyStore, Store trustStore) {}

    /** A file with keys or certificates, whose name ends with .pem, .p12 or .jks. */
    public record Store(String location, Secret password) {}

    /** A secret, or the path of the file that has it and takes precedence. It prints as a mask. */
    public record Secret(String value, String path) {
        public static final Secret NONE = new Secret("", "");

        /** Returns the secret, from the file if there is one, without a line break at its end. */
        String read() throws IOException {
            return path.isEmpty() ? value : Files.readString(Path.of(path)).replaceFirst("\\R$", "");
        }

        @Override
        public String toString() {
            return value.isEmpty() ? path : Secrets.MASK;
        }
    }
}
