// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Key stores and trust stores, made by Java's keytool for one test. All have the same password. */
public final class Certificates {
    public static final String PASSWORD = "the-password-of-all-stores";

    private final Path folder;

    public Certificates(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes a key with a certificate that signs itself, as JKS if the name ends with .jks and otherwise as PKCS12. It names the host
     * 127.0.0.1, and is valid from now on, unless options of keytool differ.
     */
    public Path key(String name, String... options) throws Exception {
        Path store = folder.resolve(name.endsWith(".jks") ? name : name + ".p12");
        Files.deleteIfExists(store);
        List<String> command = new ArrayList<>(
                List.of("-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=" + name, "-keypass", PASSWORD));
        command.addAll(Arrays.asList(options));
        if (!command.contains("-ext")) {
            command.addAll(List.of("-ext", "san=ip:127.0.0.1"));
        }
        keytool(store, name.endsWith(".jks") ? "JKS" : "PKCS12", command.toArray(String[]::new));
        return store;
    }

    /** Makes a trust store with the certificates of these keys. */
    public Path trust(String name, Path... keys) throws Exception {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        for (Path key : keys) {
            KeyStore store = KeyStore.getInstance(key.toFile(), PASSWORD.toCharArray());
            trust.setCertificateEntry(key.getFileName().toString(), store.getCertificate("key"));
        }
        Path path = folder.resolve(name + ".p12");
        try (OutputStream out = Files.newOutputStream(path)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        return path;
    }

    /** Makes a file in the format PEM with the key and the certificate. */
    public Path pem(Path key) throws Exception {
        KeyStore store = KeyStore.getInstance(key.toFile(), PASSWORD.toCharArray());
        Path pem = Path.of(key + ".pem");
        return Files.writeString(
                pem,
                block("PRIVATE KEY", store.getKey("key", PASSWORD.toCharArray()).getEncoded())
                        + block("CERTIFICATE", store.getCertificate("key").getEncoded()));
    }

    private static String block(String title, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + title + "-----\n" + text + "\n-----END " + title + "-----\n";
    }

    private static void keytool(Path store, String type, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", type, "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(command + "\n" + said);
        }
    }
}
