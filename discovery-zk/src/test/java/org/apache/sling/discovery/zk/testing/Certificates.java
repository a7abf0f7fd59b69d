// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Key stores and trust stores, made by Java's keytool for one test. All have the same password. */
public final class Certificates {
    public static final String PASSWORD = "the-password-of-all-stores";

    private final Path folder;

    public Certificates(Path folder) {
        this.folder = folder;
    }

    /** Makes a key with a certificate that signs itself. It names the host 127.0.0.1, and is valid from now on unless options differ. */
    public Path key(String name, String... options) throws Exception {
        return key(name, "PKCS12", options);
    }

    public Path key(String name, String type, String... options) throws Exception {
        Path store = folder.resolve(name + (type.equals("JKS") ? ".jks" : ".p12"));
        Files.deleteIfExists(store);
        List<String> command = new ArrayList<>(
                List.of("-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=" + name, "-keypass", PASSWORD));
        command.addAll(Arrays.asList(options));
        if (!command.contains("-ext")) {
            command.addAll(List.of("-ext", "san=ip:127.0.0.1"));
        }
        keytool(store, type, command.toArray(String[]::new));
        return store;
    }

    /** Makes a trust store with the certificates of these keys. */
    public Path trust(String name, Path... keys) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Files.deleteIfExists(store);
        for (Path key : keys) {
            Path certificate = folder.resolve(key.getFileName() + ".crt");
            String type = key.toString().endsWith(".jks") ? "JKS" : "PKCS12";
            keytool(key, type, "-exportcert", "-rfc", "-alias", "key", "-file", certificate.toString());
            keytool(
                    store,
                    "PKCS12",
                    "-importcert",
                    "-noprompt",
                    "-alias",
                    key.getFileName().toString(),
                    "-file",
                    certificate.toString());
        }
        return store;
    }

    private static void keytool(Path store, String type, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", type, "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(command + "\n" + said);
        }
    }
}
