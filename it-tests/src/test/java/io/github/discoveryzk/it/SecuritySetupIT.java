// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.containers.Document.after;
import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.Ports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * Follows {@code docs/security.md}: its commands make the keys, its lines configure a server and instances, and what it promises holds.
 * Only names, ports and folders are others.
 */
@SuppressWarnings("try") // The interrupt of a close ends the test.
class SecuritySetupIT {

    private static final String CLUSTER = "/sling/discovery/clusters/default";

    @TempDir
    private Path folder;

    private final int securePort = Ports.free();
    private final int plainPort = Ports.free();
    private final List<Instance> instances = new ArrayList<>();
    private Process server;

    @BeforeEach
    void makeKeys() throws Exception {
        assumeTrue(run("sh", "-c", "openssl version || true").contains("OpenSSL 3"), "there is no OpenSSL 3");
        run("sh", "-euc", adapted(after("docs/security.md", "**1. Keys.**")));
        assertThat(folder.resolve("discovery.pem")).exists();
    }

    @AfterEach
    void stop() throws Exception {
        for (Instance each : instances) {
            each.framework.stop();
        }
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void anOutsiderGetsNothingAndAnOpenNodeIsRepaired() throws Exception {
        startServer("");
        Instance instance = start("a", properties(after("docs/security.md", "**3. Instances.**")));
        instance.awaitSettled(1);
        assertChecked(instance);

        assertNoSessionWithoutCertificate();
        String onlyOutsider = after("docs/security.md", "**1. Keys.**")
                .replace("zk1 zk2 zk3 discovery", "outsider")
                .replaceAll("(?m)^.*CN=zookeeper-ca.*$", "");
        run("sh", "-euc", onlyOutsider);
        try (ZooKeeper outsider = connect(Map.of("trustStore", "ca.pem", "keyStore", "outsider.pem"))) {
            assertDenied(() -> outsider.getData(CLUSTER + "/view", false, null));
            assertDenied(() -> outsider.getChildren(CLUSTER + "/members", false));
            assertDenied(() -> outsider.setData(CLUSTER + "/lease", new byte[0], -1));
            assertDenied(() ->
                    outsider.create(CLUSTER + "/members/x", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
            assertDenied(() -> outsider.delete(CLUSTER + "/view", -1));
            assertDenied(() -> outsider.setACL(CLUSTER + "/view", Ids.OPEN_ACL_UNSAFE, -1));

            try (ZooKeeper member = connect(Map.of("trustStore", "ca.pem", "keyStore", "discovery.pem"))) {
                member.create(CLUSTER + "/announcements", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            outsider.getData(CLUSTER + "/announcements", false, null);
            assertThat(instance.shell("discovery:acl"))
                    .containsPattern("\\b1 of \\d+ nodes differ from creator")
                    .contains(CLUSTER + "/announcements");
            instance.shell(after("docs/security.md", "**Repair**"));
            assertChecked(instance);
            assertDenied(() -> outsider.getData(CLUSTER + "/announcements", false, null));
        }
    }

    @Test
    @Tag("thorough")
    void aClusterIsMigratedAndBackWithoutAStop() throws Exception {
        startServer("clientPort=" + plainPort + "\nclientPortAddress=127.0.0.1\n");
        Map<String, String> open = Map.of("connectString", "localhost:" + plainPort);
        Instance first = start("a", open);
        Instance second = start("b", open);
        awaitSettled();
        try (ZooKeeper outsider = connect(Map.of())) {
            Map<String, String> credentials = with(
                    properties(after("docs/security.md", "**3. Instances.**")),
                    after("docs/security.md", "**Credentials everywhere.**"));
            configureAll(credentials);
            configureAll(with(credentials, after("docs/security.md", "**Secured creation.**")));
            assertThat(outsider.getData(CLUSTER + "/view", false, null)).isNotEmpty();

            assertThat(first.shell(after("docs/security.md", "**Repair**")))
                    .containsPattern("\\b0 of \\d+ nodes differ");
            assertChecked(second);
            assertDenied(() -> outsider.getData(CLUSTER + "/view", false, null));
            awaitSettled();

            configureAll(credentials);
            assertThat(second.shell(after("docs/security.md", "**Repair**")))
                    .containsPattern("\\b0 of \\d+ nodes differ");
            configureAll(open);
            assertThat(outsider.getData(CLUSTER + "/view", false, null)).isNotEmpty();
        }
    }

    @Test
    void aPasswordThatIsReplacedOpensNothing() throws Exception {
        startServer("clientPort=" + plainPort + "\nclientPortAddress=127.0.0.1\n");
        Map<String, Object> settings = new HashMap<>(Map.of("connectString", "localhost:" + plainPort));
        settings.putAll(Map.of("authScheme", "digest", "authData", "app:old-password", "acl", "creator"));
        Instance first = start("a", settings);
        Instance second = start("b", settings);
        awaitSettled();
        String[] both =
                run("sh", "-euc", after("docs/security.md", "**Digest**")).split("\n");
        settings.put("acl", both);
        configureEach(settings);
        String repair = after("docs/security.md", "**Repair**");
        first.shell(repair);
        settings.put("authData", "app:new-password");
        configureEach(settings);
        settings.put("acl", "creator");
        configureEach(settings);
        for (Instance each : instances) {
            each.await("discovery:topology", shown -> shown.contains("The access rights of "));
        }
        second.shell(repair);
        try (ZooKeeper old = connect(Map.of());
                ZooKeeper present = connect(Map.of())) {
            old.addAuthInfo("digest", "app:old-password".getBytes(StandardCharsets.UTF_8));
            present.addAuthInfo("digest", "app:new-password".getBytes(StandardCharsets.UTF_8));
            for (String path : ZKUtil.listSubTreeBFS(present, "/sling")) {
                assertDenied(() -> old.getACL(path, null));
                assertThat(present.getACL(path, null)).as(path).hasSize(1);
            }
        }
        for (Instance each : instances) {
            each.await("discovery:topology", shown -> !shown.contains("The access rights of "));
        }
        awaitSettled();
    }

    private void configureEach(Map<String, ?> settings) throws Exception {
        for (Instance each : instances) {
            String session = each.shell("discovery:explain").replaceAll("(?s).*(Session: 0x\\w+).*", "$1");
            each.configure(settings);
            each.await("discovery:explain", shown -> shown.contains("Session: 0x") && !shown.contains(session));
            awaitSettled();
        }
    }

    /** Configures one instance after the other, as the document says. */
    private void configureAll(Map<String, String> settings) throws Exception {
        for (Instance each : instances) {
            each.configure(settings);
            each.awaitConfigured(settings);
            awaitSettled();
        }
    }

    private void awaitSettled() {
        instances.forEach(each -> each.awaitSettled(instances.size()));
    }

    /** Checks what the document says that the command shows; the number of nodes varies. */
    private static void assertChecked(Instance instance) throws Exception {
        Pattern shown = Pattern.compile(
                Pattern.quote(after("docs/security.md", "**4. Check.**")).replace("…", "\\E\\d+\\Q"));
        untilAsserted(() -> assertThat(instance.shell("discovery:acl")).containsPattern(shown));
    }

    private void assertNoSessionWithoutCertificate() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream ca = Files.newInputStream(folder.resolve("ca.pem"))) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(ca));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (Socket socket = context.getSocketFactory().createSocket("localhost", securePort)) {
            assertThatThrownBy(() -> {
                        socket.getOutputStream().write(0);
                        socket.getInputStream().read();
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private static void assertDenied(Access access) {
        assertThatThrownBy(access::attempt).isInstanceOf(KeeperException.NoAuthException.class);
    }

    private interface Access {
        void attempt() throws Exception;
    }

    /** Puts the names, ports and folders of this test in place of those of the document; one server stands for three. */
    private String adapted(String block) {
        return block.replace("zk1:2281,zk2:2281,zk3:2281", "localhost:" + securePort)
                .replace("zk1 zk2 zk3", "localhost")
                .replace("zk1", "localhost")
                .replace("2281", String.valueOf(securePort))
                .replaceAll("/etc/(zookeeper|discovery)", folder.toString());
    }

    private Map<String, String> properties(String block) throws IOException {
        Properties read = new Properties();
        read.load(new StringReader(adapted(block)));
        Map<String, String> all = new HashMap<>();
        read.stringPropertyNames().forEach(key -> all.put(key, read.getProperty(key)));
        return all;
    }

    private Map<String, String> with(Map<String, String> settings, String block) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(properties(block));
        return all;
    }

    private String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private void startServer(String plain) throws Exception {
        Path configuration = folder.resolve("zoo.cfg");
        Files.writeString(
                configuration,
                "tickTime=500\ndataDir=" + folder.resolve("data") + "\nadmin.enableServer=false\n"
                        + "secureClientPortAddress=127.0.0.1\n" + plain
                        + adapted(after("docs/security.md", "**2. Servers.**")));
        server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Dzookeeper.jmx.log4j.disable=true",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        QuorumPeerMain.class.getName(),
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
    }

    /** Connects a client with these stores; without any to the plain port. */
    private ZooKeeper connect(Map<String, String> stores) throws Exception {
        ZKClientConfig config = new ZKClientConfig();
        stores.forEach((store, file) -> {
            config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            config.setProperty(
                    ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
            config.setProperty(
                    "zookeeper.ssl." + store + ".location", folder.resolve(file).toString());
        });
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(
                "localhost:" + (stores.isEmpty() ? plainPort : securePort),
                10_000,
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                config);
        if (!connected.await(Limit.millis(), TimeUnit.MILLISECONDS)) {
            client.close();
            throw new AssertionError("no session with " + stores);
        }
        return client;
    }

    private Instance start(String id, Map<String, ?> settings) throws Exception {
        Instance instance = new Instance(id, settings);
        instances.add(instance);
        return instance;
    }

    /** An instance in a framework of its own, as an operator sees it: with its configuration and its shell. */
    private static final class Instance {
        private final EmbeddedFramework framework;

        private Instance(String id, Map<String, ?> settings) throws Exception {
            framework = new EmbeddedFramework(
                    SecuritySetupIT.class,
                    Setup.member(SecuritySetupIT.class, settings, id),
                    Setup.shell(),
                    Setup.ourBundles());
        }

        private void configure(Map<String, ?> settings) throws Exception {
            Object configuration = call(
                    service("org.osgi.service.cm.ConfigurationAdmin"),
                    "getConfiguration",
                    List.of(String.class, String.class),
                    Container.PID,
                    null);
            call(configuration, "update", List.of(Dictionary.class), new Hashtable<>(settings));
        }

        /** Returns what a command prints, with one space in place of several. */
        private String shell(String line) throws Exception {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            Object session = call(
                    service("org.apache.felix.service.command.CommandProcessor"),
                    "createSession",
                    List.of(InputStream.class, OutputStream.class, OutputStream.class),
                    InputStream.nullInputStream(),
                    printed,
                    OutputStream.nullOutputStream());
            call(session, "execute", List.of(CharSequence.class), line);
            call(session, "close", List.of());
            return printed.toString(StandardCharsets.UTF_8).replaceAll(" +", " ");
        }

        private void awaitSettled(int members) {
            await("discovery:explain", shown -> shown.contains(members + " instance") && shown.contains(", leader "));
        }

        /** Waits until the instance has the rights and the identity of these settings instead of those of before. */
        private void awaitConfigured(Map<String, String> settings) {
            await(
                    "discovery:acl",
                    shown -> shown.contains("differ from " + settings.getOrDefault("acl", "open"))
                            && shown.contains("this instance is x509:") == settings.containsKey("secure"));
        }

        private void await(String command, Predicate<String> shows) {
            awaitThat(command, () -> {
                try {
                    return shows.test(shell(command));
                } catch (InvocationTargetException e) {
                    // The service is away while the instance rejoins.
                    return false;
                }
            });
        }

        private Object service(String name) throws InvalidSyntaxException {
            BundleContext context = framework.context();
            ServiceReference<?>[] references = context.getAllServiceReferences(name, null);
            assertThat(references).as(name).isNotEmpty();
            return context.getService(references[0]);
        }

        /** The classes of the container are not those of this test. */
        private static Object call(Object target, String method, List<Class<?>> types, Object... arguments)
                throws ReflectiveOperationException {
            Class<?>[] parameters = types.toArray(Class<?>[]::new);
            return Stream.<Class<?>>iterate(target.getClass(), type -> type != null, Class::getSuperclass)
                    .flatMap(type -> Stream.of(type.getInterfaces()))
                    .flatMap(type -> Stream.of(type.getMethods()))
                    .filter(each -> each.getName().equals(method))
                    .filter(each -> List.of(each.getParameterTypes()).equals(List.of(parameters)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no method " + method))
                    .invoke(target, arguments);
        }
    }
}
