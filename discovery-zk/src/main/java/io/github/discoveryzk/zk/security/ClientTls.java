// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import io.github.discoveryzk.spi.DeadlineSocket;
import io.github.discoveryzk.zk.security.Security.Store;
import io.github.discoveryzk.zk.security.Security.Tls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.crypto.BadPaddingException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.SSLContextAndOptions;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;

/**
 * TLS of a client. ZooKeeper's client reads the files at each attempt to connect, and only logs why it fails. This class finds out: it
 * opens the stores, then tries a handshake.
 */
final class ClientTls {
    private static final int LIMIT_MILLIS = 2_000;

    private ClientTls() {}

    /** Sets ZooKeeper's options, and returns the client's configuration. */
    static ZKClientConfig set(ZKClientConfig client, Tls tls) {
        client.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        // Only this one knows TLS. It is named because its class may not be loaded without TLS.
        client.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        set(client, "keyStore.", tls.keyStore());
        set(client, "trustStore.", tls.trustStore());
        set(client, "hostnameVerification", "true");
        return client;
    }

    private static void set(ZKClientConfig client, String prefix, Store store) {
        set(client, prefix + "location", store.location());
        set(client, prefix + "password", store.password().value());
        set(client, prefix + "passwordPath", store.password().path());
    }

    private static void set(ZKClientConfig client, String name, String value) {
        if (!value.isEmpty()) {
            client.setProperty("zookeeper.ssl." + name, value);
        }
    }

    /** Returns why the key store or the trust store cannot be used. */
    static Optional<String> problem(Tls tls) {
        Store keys = tls.keyStore();
        try (ClientX509Util util = new ClientX509Util()) {
            ZKClientConfig client = set(new ZKClientConfig(), tls);
            util.createSSLContext(client);
            if (!keys.location().isEmpty()) {
                String type = client.getProperty(util.getSslKeystoreTypeProperty());
                KeyStore opened =
                        X509Util.loadKeyStore(keys.location(), keys.password().read(), type);
                for (String alias : Collections.list(opened.aliases())) {
                    if (opened.getCertificate(alias) instanceof X509Certificate certificate) {
                        certificate.checkValidity();
                    }
                }
            }
            return Optional.empty();
        } catch (IOException | GeneralSecurityException | X509Exception | IllegalArgumentException e) {
            boolean ofTrust = isCausedBy(e, X509Exception.TrustManagerException.class)
                    || String.valueOf(e.getMessage()).contains("trustStore");
            String store = ofTrust ? "trust store " + tls.trustStore().location() : "key store " + keys.location();
            String option = ofTrust ? "trustStore" : "keyStore";
            return Optional.of("The " + store + " cannot be used: " + reason(e) + ". Check " + option + ".location, "
                    + option + ".password, " + option + ".passwordPath and the end of its name (.pem, .p12, .jks)"
                    + ClientSecurity.AGAIN);
        }
    }

    /** Returns why a server cannot be reached with TLS; empty when a handshake succeeds or the server does not answer at all. */
    static Optional<String> problem(Tls tls, InetSocketAddress server, LongSupplier clock) {
        return problem(tls).or(() -> shakeHands(tls, server, clock));
    }

    private static Optional<String> shakeHands(Tls tls, InetSocketAddress server, LongSupplier clock) {
        try (ClientX509Util util = new ClientX509Util();
                Socket below = new DeadlineSocket(LIMIT_MILLIS, clock)) {
            below.connect(server);
            SSLContextAndOptions options = util.createSSLContextAndOptions(set(new ZKClientConfig(), tls));
            SSLParameters parameters;
            try (SSLSocket configured = options.createSSLSocket()) {
                parameters = configured.getSSLParameters();
            }
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            SSLSocket socket = (SSLSocket) options.getSSLContext()
                    .getSocketFactory()
                    .createSocket(below, server.getHostString(), server.getPort(), false);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            // In TLS 1.3 a server refuses a certificate after the handshake. Otherwise it waits for a request.
            socket.getInputStream().read();
            return Optional.empty();
        } catch (SocketTimeoutException | ConnectException | NoRouteToHostException e) {
            return Optional.empty();
        } catch (IOException | X509Exception | IllegalArgumentException e) {
            return Optional.of("The TLS handshake with ZooKeeper at " + server.getHostString() + ":" + server.getPort()
                    + " fails: " + reason(e)
                    + ". Check whether this is its port for TLS (secureClientPort), whether its"
                    + " certificate is valid, names this host and has an issuer in trustStore.location, whether the server"
                    + " trusts the certificate in keyStore.location, and the versions of TLS" + ClientSecurity.AGAIN);
        }
    }

    /** Returns the deepest reason, in words of our own where Java's are unclear. */
    private static String reason(Throwable thrown) {
        if (isCausedBy(thrown, UnrecoverableKeyException.class) || isCausedBy(thrown, BadPaddingException.class)) {
            return "the password is wrong";
        }
        Throwable deepest = deepest(thrown);
        String message = String.valueOf(deepest.getMessage());
        if (deepest instanceof SocketException || message.startsWith("Received fatal alert")) {
            return "the server refuses it"; // It may close the connection before the alert is read.
        }
        if (deepest instanceof CertificateExpiredException || deepest instanceof CertificateNotYetValidException) {
            return "the certificate has expired or is not valid yet (" + message + ")";
        }
        return message;
    }

    private static Throwable deepest(Throwable thrown) {
        return thrown.getCause() == null ? thrown : deepest(thrown.getCause());
    }

    private static boolean isCausedBy(Throwable thrown, Class<? extends Throwable> type) {
        return thrown != null && (type.isInstance(thrown) || isCausedBy(thrown.getCause(), type));
    }
}
