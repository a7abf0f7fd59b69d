// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.Kdc;
import io.github.discoveryzk.testing.server.SecuredServer;
import io.github.discoveryzk.zk.testing.OneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Stores at a server that requires Kerberos, with a KDC in this process. */
@Isolated("The JVM has one configuration of Kerberos.")
class KerberosStoreTest extends OneServer {
    @TempDir
    private Path folder;

    private Kdc kdc;
    private SecuredServer secured;

    @BeforeEach
    void prepare() throws Exception {
        kdc = new Kdc(folder);
        secured = new SecuredServer(folder, LONG.toMillis());
        kdc.start(
                secured,
                after("docs/security.md", "For Kerberos each server").strip().split("\n"));
    }

    /** Returns the first block of a document after a text. */
    private static String after(String file, String text) throws IOException {
        return Files.readString(Path.of("..", file))
                .split(Pattern.quote(text))[1]
                .split("```\\w*")[1];
    }

    @AfterEach
    void stop() throws Exception {
        secured.close();
        kdc.close();
    }

    @Test
    void instancesLogInAndSayWhyTheyCannot() throws Exception {
        Path right = kdc.keytab("app");
        Path wrong = kdc.keytab("other");
        Path used = Files.copy(wrong, folder.resolve("used.keytab"));
        ZooKeeperStoreConfig config = BackendSettings.of(Map.of(
                        "connectString", "127.0.0.1:" + secured.port(),
                        "kerberosPrincipal", kdc.principal("app"),
                        "kerberosKeytab", used.toString()))
                .store();
        Witness first = witness("a", config);
        first.awaitTrouble(
                "or the login failed: Kerberos principal " + kdc.principal("app") + " with the keytab " + used);
        assertThat(first.calls(RecordingObserver.Connected.class)).isEmpty();

        kdc.way().loseAll();
        int port = kdc.way().lastPort();
        Files.copy(right, used, StandardCopyOption.REPLACE_EXISTING);
        eventually(() -> kdc.way().lastPort() != port);
        assertThat(first.calls(RecordingObserver.Connected.class)).isEmpty();

        kdc.way().restore();
        first.awaitSnapshot(any -> true);
        List<Witness> all = Stream.concat(Stream.of(first), Stream.of("b", "c").map(id -> witness(id, config)))
                .toList();
        all.forEach(Witness::join);
        all.forEach(each -> each.awaitMembers(3));
        assertThat(first.troubles()).endsWith("");
        assertCreator(config, "sasl:app");
    }
}
