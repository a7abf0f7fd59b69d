// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import io.github.discoveryzk.zk.security.Security.Login;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Util;

/**
 * The security of one connection: it configures each client, notices changed files, and says why ZooKeeper refuses. Its sentences have
 * no secret. Methods are called on the store's thread unless they say otherwise.
 */
public final class ClientSecurity {
    private static final long EXPLAINED_MILLIS = 10_000;
    static final String AGAIN = "; this instance tries again, at intervals of up to a minute.";

    private final Security security;
    private final Login login;
    private final String servers;
    private final LongSupplier clock;
    private final String section = "discovery-zk-" + UUID.randomUUID();
    private Map<Path, Object> used;
    private Map<Path, Object> seen;
    private volatile Optional<Explanation> explanation = Optional.empty();

    private record Explanation(String sentence, long at) {}

    /**
     * Creates the security of a connection.
     *
     * @param servers the servers, for display
     * @param clock monotonic milliseconds
     */
    public ClientSecurity(Security security, String servers, LongSupplier clock) {
        this.security = security;
        this.login = security.login();
        this.servers = servers;
        this.clock = clock;
        this.used = stamps();
        this.seen = used;
    }

    /** Sets the options of a client; fails when a secret cannot be read. It may be called on any thread. */
    public void configure(ZKClientConfig client) throws IOException {
        security.tls().ifPresent(tls -> ClientTls.set(client, tls));
        if (!login.kerberosPrincipal().isEmpty()) {
            Map<String, String> options = new HashMap<>();
            List.of("useKeyTab", "storeKey", "doNotPrompt", "refreshKrb5Config")
                    .forEach(flag -> options.put(flag, "true"));
            options.put("principal", login.kerberosPrincipal());
            options.put("keyTab", login.kerberosKeytab());
            LoginSections.set(section, LoginSections.KERBEROS, options);
        } else if (!login.saslUser().isEmpty()) {
            String password = login.saslPassword().read();
            LoginSections.set(
                    section, LoginSections.DIGEST, Map.of("username", login.saslUser(), "password", password));
        }
        if (hasSasl()) {
            client.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, context());
            if (LoginSections.module(context()).equals(LoginSections.DIGEST)) {
                // The client refuses DIGEST-MD5 in this mode.
                client.setProperty(X509Util.FIPS_MODE_PROPERTY, "false");
            }
        }
    }

    private String context() {
        boolean own = !login.kerberosPrincipal().isEmpty() || !login.saslUser().isEmpty();
        return own ? section : login.saslLoginContext();
    }

    /** Returns whether connections are encrypted. */
    public boolean hasTls() {
        return security.tls().isPresent();
    }

    /** Returns whether each client logs in, and may not go on when that fails. */
    public boolean hasSasl() {
        return !context().isEmpty();
    }

    /** Returns the scheme with which a client authenticates itself, empty for none. */
    public String authScheme() {
        return login.authScheme();
    }

    /** Returns the data for that scheme; fails when they cannot be read. It may be called on any thread. */
    public byte[] authData() throws IOException {
        return login.authData().read().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns why no client can be made. */
    public Optional<String> problem() {
        Optional<Path> unreadable = security.files()
                .filter(path -> !Files.isReadable(path) || Files.isDirectory(path))
                .findFirst();
        if (unreadable.isPresent()) {
            return Optional.of(
                    "The file " + unreadable.get() + ", which the configuration of discovery names, is missing"
                            + " or cannot be read. Check its path and permissions" + AGAIN);
        }
        return security.tls().flatMap(ClientTls::problem);
    }

    /** Returns why a server cannot be reached, or the other sentence. It may be called on any thread, and takes seconds at most. */
    public String explain(InetSocketAddress server, String otherwise) {
        if (security.tls().isEmpty() || server == null) {
            return otherwise;
        }
        Explanation known = explanation
                .filter(last -> clock.getAsLong() - last.at < EXPLAINED_MILLIS)
                .orElseGet(() -> new Explanation(
                        ClientTls.problem(security.tls().get(), server, clock).orElse(otherwise), clock.getAsLong()));
        explanation = Optional.of(known);
        return known.sentence;
    }

    /** Returns the sentence for rejected credentials or a login that failed. */
    public String rejected() {
        return "ZooKeeper at " + servers + " does not accept the credentials of this instance, or the login failed: "
                + credentials() + ". Check them; the log of ZooKeeper's client, which has the reason of a failed login;"
                + " and the log of the servers" + AGAIN;
    }

    /** Returns the sentence for servers that require an authentication which this instance lacks. */
    public String required() {
        return "ZooKeeper at " + servers + " requires authentication and closes the session of this instance: "
                + credentials() + ". Configure one of the schemes that the servers enforce (enforce.auth.schemes)"
                + AGAIN;
    }

    private String credentials() {
        String sasl = login.saslLoginContext().isEmpty() ? "" : "JAAS section " + login.saslLoginContext();
        if (!login.kerberosPrincipal().isEmpty()) {
            sasl = "Kerberos principal " + login.kerberosPrincipal() + " with the keytab " + login.kerberosKeytab()
                    + " and the KDC of krb5.conf";
        } else if (!login.saslUser().isEmpty()) {
            sasl = "SASL user " + login.saslUser() + " with DIGEST-MD5 (saslUser, saslPassword)";
        }
        String scheme = authScheme().isEmpty() ? "" : "scheme " + authScheme() + " (authScheme, authData)";
        String all = Stream.of(sasl, scheme).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
        return all.isEmpty() ? "no credentials are configured" : all;
    }

    /** Returns whether files have changed, once they were the same in two checks; to be called every few seconds. */
    public boolean haveFilesChanged() {
        Map<Path, Object> now = stamps();
        boolean complete = now.equals(seen);
        seen = now;
        if (!complete || now.equals(used)) {
            return false;
        }
        used = now;
        return true;
    }

    private Map<Path, Object> stamps() {
        return security.files().distinct().collect(Collectors.toMap(file -> file, ClientSecurity::stamp));
    }

    private static Object stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return Arrays.asList(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Removes the section of the login configuration. */
    public void close() {
        LoginSections.remove(section);
    }
}
