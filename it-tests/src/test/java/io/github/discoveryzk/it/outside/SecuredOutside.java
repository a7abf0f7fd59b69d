// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.outside;

import io.github.discoveryzk.it.containers.Document;
import io.github.discoveryzk.testing.server.Certificates;
import io.github.discoveryzk.testing.server.SecuredServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** A server that requires TLS with a certificate, and SASL. It is started when it is first needed and ends with the process. */
public final class SecuredOutside {

    /** Occurs nowhere else. */
    public static final String SASL_SECRET = "sasl-b2e9c1d7-hidden";

    public static final String DIGEST_SECRET = "the-secret-of-digest";

    private static Path folder;
    private static SecuredServer only;

    private SecuredOutside() {}

    /** Returns the settings of an instance, except the password for SASL. */
    public static synchronized Map<String, String> settings() {
        try {
            if (only == null) {
                Path parent = Files.createDirectories(Path.of(System.getProperty("work.directory"), "secured"));
                folder = Files.createTempDirectory(parent, "server");
                Certificates certificates = new Certificates(folder);
                Path key = certificates.key("server");
                Path trust = certificates.trust("trust", key, certificates.key("client"));
                only = new SecuredServer(folder, Limit.millis());
                only.startWithSasl(
                        Document.block("docs/security.md", "DigestLoginModule").replace("password", SASL_SECRET),
                        "ssl.keyStore.location=" + key,
                        "ssl.keyStore.password=" + Certificates.PASSWORD,
                        "ssl.trustStore.location=" + trust,
                        "ssl.trustStore.password=" + Certificates.PASSWORD);
                Files.writeString(secrets().resolve("store"), Certificates.PASSWORD);
                Files.writeString(secrets().resolve("sasl"), SASL_SECRET);
                Files.writeString(secrets().resolve("digest"), "app:" + DIGEST_SECRET);
            }
            return Map.of(
                    "connectString",
                    "127.0.0.1:" + only.port(),
                    "secure",
                    "true",
                    "keyStore.location",
                    folder.resolve("client.p12").toString(),
                    "keyStore.password",
                    "$[secret:store]",
                    "trustStore.location",
                    folder.resolve("trust.p12").toString(),
                    "trustStore.passwordPath",
                    folder.resolve("secrets/store").toString(),
                    "trustStore.password",
                    "$[secret:store]",
                    "authScheme",
                    "digest",
                    "authData",
                    "$[secret:digest]",
                    "saslUser",
                    "app");
        } catch (Exception e) {
            throw new IllegalStateException("The server of the test does not start", e);
        }
    }

    /** Returns the folder in which the name of each file is that of a secret. */
    public static Path secrets() throws Exception {
        return Files.createDirectories(folder.resolve("secrets"));
    }

    /** Returns everything that the server has written to its disk, which includes the data of all nodes. */
    public static String stored() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }
}
