// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.Effort;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.Certificates;
import io.github.discoveryzk.testing.server.SecuredServer;
import io.github.discoveryzk.zk.testing.OneServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stores at servers that require authentication or TLS, with right, wrong and changed credentials. Each test has a server of its own. */
@Execution(ExecutionMode.CONCURRENT)
class SecuredStoreTest extends OneServer {
    @TempDir
    private Path folder;

    private SecuredServer secured;

    @BeforeEach
    void prepare() throws Exception {
        secured = new SecuredServer(folder, LONG.toMillis());
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    private ZooKeeperStoreConfig with(Object... options) {
        Map<String, Object> all = new HashMap<>(Map.of("connectString", "127.0.0.1:" + secured.port()));
        for (int i = 0; i < options.length; i += 2) {
            all.put((String) options[i], options[i + 1]);
        }
        BackendSettings settings = BackendSettings.of(all);
        assertThat(settings.problems()).isEmpty();
        return settings.store();
    }

    private Path file(String name, String content) throws Exception {
        return Files.writeString(folder.resolve(name), content);
    }

    private List<Witness> threeSettle(ZooKeeperStoreConfig config) {
        List<Witness> all =
                Stream.of("a", "b", "c").map(id -> witness(id, config)).toList();
        all.forEach(Witness::join);
        all.forEach(each -> each.awaitMembers(3));
        return all;
    }

    private long logged(String text) throws Exception {
        return Files.readAllLines(secured.log()).stream()
                .filter(line -> line.contains(text))
                .count();
    }

    /** Each sentence is reported once although attempts are repeated. On a slow machine a server may not answer in time before it refuses. */
    private static void assertOneSentence(Witness one, String... parts) {
        assertThat(one.troubles())
                .filteredOn(sentence -> !sentence.isEmpty() && !sentence.startsWith("No ZooKeeper server answers"))
                .singleElement()
                .asString()
                .contains(parts);
    }

    @Test
    void aServerThatRequiresDigest() throws Exception {
        secured.start("", "enforce.auth.enabled=true", "enforce.auth.schemes=digest");
        Path data = file("auth", "app:first\n");
        ZooKeeperStoreConfig config = with("authScheme", "digest", "authDataPath", data.toString());
        List<Witness> all = threeSettle(config);
        assertCreator(config, "digest:app");

        Witness outsider = witness("outsider", with());
        outsider.awaitTrouble("requires authentication");
        String closing = "does not match with any of the expected authentication scheme";
        eventually(() -> logged(closing) >= 3);
        assertOneSentence(outsider, "no credentials are configured", "enforce.auth.schemes");
        assertThat(outsider.calls(RecordingObserver.Connected.class)).isEmpty();
        assertThat(outsider.snapshots()).isEmpty();

        // Another password counts without a restart, and without another session.
        Witness first = all.get(0);
        long session = first.session();
        file("auth", "app:second-one\n");
        first.awaitConnects(2);
        first.awaitMembers(3);
        assertThat(first.session()).isEqualTo(session);
        assertThat(first.calls(RecordingObserver.Expired.class)).isEmpty();

        secured.start("");
        outsider.awaitSnapshot(any -> true);
        outsider.join();
        outsider.awaitMembers(4);
        assertThat(outsider.troubles()).endsWith("");
    }

    @Test
    void aServerThatRequiresSaslWithAPassword() throws Exception {
        secured.startWithSasl(
                "Server { org.apache.zookeeper.server.auth.DigestLoginModule required user_app=\"right\"; };");
        Path password = file("password", "wrong");
        ZooKeeperStoreConfig config = with("saslUser", "app", "saslPasswordPath", password.toString());
        Witness wrong = witness("w", config);
        wrong.awaitTrouble("does not accept the credentials");
        eventually(() -> logged("failed to SASL authenticate") >= 3);
        assertOneSentence(wrong, "SASL user app", "saslPassword");
        assertThat(wrong.calls(RecordingObserver.Connected.class)).isEmpty();
        file("password", "right");
        wrong.awaitSnapshot(any -> true);
        wrong.close();
        threeSettle(config);
        assertCreator(config, "sasl:app");
    }

    /** Starts a server that requires certificates, and trusts those of a store. */
    private void startWithTls(Path key, Path trust) throws Exception {
        secured.start(
                "",
                "ssl.keyStore.location=" + key,
                "ssl.keyStore.password=" + Certificates.PASSWORD,
                "ssl.trustStore.location=" + trust,
                "ssl.trustStore.password=" + Certificates.PASSWORD);
    }

    private ZooKeeperStoreConfig withTls(Path key, Path trust) throws Exception {
        return with(
                "secure",
                true,
                "keyStore.location",
                key.toString(),
                "keyStore.passwordPath",
                file("store-password", Certificates.PASSWORD).toString(),
                "trustStore.location",
                trust.toString(),
                "trustStore.password",
                Certificates.PASSWORD);
    }

    @Test
    void aServerThatRequiresCertificates() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path server = certificates.key("server");
        Path client = certificates.key("client");
        Path java = certificates.key("java.jks");
        Path trust = certificates.trust("trust", server, client, java);
        startWithTls(server, trust);
        ZooKeeperStoreConfig config = withTls(client, trust);
        threeSettle(config);
        assertCreator(config, "x509:CN=client");

        for (Path key : List.of(certificates.pem(client), java)) {
            Witness other = witness(
                    "other",
                    with(
                            "secure",
                            "true",
                            "keyStore.location",
                            key.toString(),
                            "keyStore.password",
                            key.equals(java) ? Certificates.PASSWORD : "",
                            "trustStore.location",
                            certificates.pem(server).toString()));
            other.awaitSnapshot(any -> true);
            other.close();
        }
    }

    @Test
    void aRenewedKeyCountsAtTheNextConnectionOfTheSameSession() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path server = certificates.key("server");
        Path client = certificates.key("client");
        Path trust = certificates.trust("trust", server, client);
        startWithTls(server, trust);
        List<Witness> all = threeSettle(withTls(client, trust));

        Path renewed = certificates.key("renewed");
        Path both = certificates.trust("both", server, client, renewed);
        Files.move(both, trust, StandardCopyOption.REPLACE_EXISTING);
        Witness first = all.get(0);
        all.forEach(each -> each.awaitConnects(2));
        startWithTls(server, trust);
        all.forEach(each -> each.awaitConnects(3));
        Files.move(renewed, client, StandardCopyOption.REPLACE_EXISTING);
        first.awaitConnects(4);
        assertThat(first.calls(RecordingObserver.Expired.class)).isEmpty();
        first.awaitMembers(3);
    }

    /** What ZooKeeper's client only logs is reported, and a right file counts without a restart. */
    @Test
    void theReasonWhyTlsFails() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path server = certificates.key("server");
        Path client = certificates.key("client");
        Path both = certificates.trust("both", server, client);
        Path trust = folder.resolve("trust.p12");
        Files.copy(both, trust);
        startWithTls(server, both);
        Path key = folder.resolve("key.p12");
        Witness one = witness("one", withTls(key, trust));
        one.awaitTrouble("The file " + key);

        Files.copy(client, key);
        file("store-password", "another");
        one.awaitTrouble("The key store " + key + " cannot be used: the password is wrong");

        // The key before the password: the right password and a valid key would connect in between.
        Path expired = certificates.key("expired", "-startdate", "-2d", "-validity", "1");
        Files.copy(expired, key, StandardCopyOption.REPLACE_EXISTING);
        file("store-password", Certificates.PASSWORD);
        one.awaitTrouble("cannot be used: the certificate has expired");

        if (Effort.isThorough()) {
            // The server does not know this certificate.
            Files.copy(certificates.key("stranger"), key, StandardCopyOption.REPLACE_EXISTING);
            one.awaitTrouble("fails: the server refuses it");

            Files.copy(certificates.trust("wrong", client), trust, StandardCopyOption.REPLACE_EXISTING);
            one.awaitTrouble("fails: unable to find valid certification path");
        }
        assertThat(one.calls(RecordingObserver.Connected.class)).isEmpty();

        Files.copy(client, key, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(both, trust, StandardCopyOption.REPLACE_EXISTING);
        one.awaitSnapshot(any -> true);
        eventually(() -> one.troubles().get(one.troubles().size() - 1).isEmpty());
        assertThat(one.troubles()).noneMatch(sentence -> sentence.contains(Certificates.PASSWORD));

        if (Effort.isThorough()) {
            Path elsewhere = certificates.key("elsewhere", "-ext", "san=dns:elsewhere.example");
            Files.copy(certificates.trust("trusted", elsewhere), trust, StandardCopyOption.REPLACE_EXISTING);
            startWithTls(elsewhere, both);
            one.awaitTrouble("fails: No subject alternative names matching IP address 127.0.0.1");

            secured.start("");
            one.awaitTrouble("secureClientPort");
        }
    }
}
