// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.security;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Optional;
import javax.crypto.BadPaddingException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;

/** Finds out why connections with TLS fail, because ZooKeeper's client only logs it: opens the stores, then tries a handshake. */
final class TlsCheck {
    private static final int LIMIT_MILLIS = 2_000;

    private TlsCheck() {}

    /** Returns why the key store or the trust store cannot be used. */
    static Optional<String> problem(Security.Tls tls) {
        return problem(tls.keyStore(), "key store", "keyStore", TlsCheck::checkKey)
                .or(() -> problem(tls.trustStore(), "trust store", "trustStore", TlsCheck::checkTrust));
    }

    private static Optional<String> problem(Security.Store store, String what, String option, Check check) {
        if (store.location().isEmpty()) {
            return Optional.empty();
        }
        try {
            check.of(store.location(), store.password().read(), store.type().isEmpty() ? null : store.type());
            return Optional.empty();
        } catch (IOException | GeneralSecurityException | X509Exception | IllegalArgumentException e) {
            return Optional.of("The " + what + " " + store.location() + " cannot be used: " + reason(e) + ". Check "
                    + option + ".location, " + option + ".password, " + option + ".passwordPath and " + option + ".type"
                    + ClientSecurity.AGAIN);
        }
    }

    private static void checkKey(String location, String password, String type)
            throws IOException, GeneralSecurityException, X509Exception {
        X509Util.createKeyManager(location, password, type);
        KeyStore opened = X509Util.loadKeyStore(location, password, type);
        boolean found = false;
        for (String alias : Collections.list(opened.aliases())) {
            if (opened.isKeyEntry(alias) && opened.getCertificate(alias) instanceof X509Certificate certificate) {
                found = true;
                certificate.checkValidity();
            }
        }
        if (!found) {
            throw new GeneralSecurityException("it has no private key with a certificate");
        }
    }

    private static void checkTrust(String location, String password, String type) throws X509Exception {
        X509Util.createTrustManager(location, password, type, false, false, true, false, false, true);
    }

    /** Returns why a server cannot be reached with TLS; empty when a handshake succeeds or the server does not answer at all. */
    static Optional<String> problem(Security.Tls tls, InetSocketAddress server) {
        Optional<String> problem = problem(tls);
        if (problem.isPresent()) {
            return problem;
        }
        String address = server.getHostString() + ":" + server.getPort();
        try (Socket plain = new Socket()) {
            plain.connect(server, LIMIT_MILLIS);
            plain.setSoTimeout(LIMIT_MILLIS);
            try {
                shakeHands(tls, plain, server);
                return Optional.empty();
            } catch (SocketTimeoutException e) {
                return Optional.empty();
            } catch (IOException | X509Exception | IllegalArgumentException e) {
                return Optional.of("The TLS handshake with ZooKeeper at " + address + " fails: " + reason(e) + ". "
                        + advice(e, tls, server.getHostString()) + ClientSecurity.AGAIN);
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void shakeHands(Security.Tls tls, Socket plain, InetSocketAddress server)
            throws IOException, X509Exception {
        ZKClientConfig config = new ZKClientConfig();
        TlsOptions.set(config, tls);
        try (ClientX509Util util = new ClientX509Util();
                SSLSocket socket = (SSLSocket) util.createSSLContext(config)
                        .getSocketFactory()
                        .createSocket(plain, server.getHostString(), server.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm(tls.hostnameVerification() ? "HTTPS" : null);
            parameters.setProtocols(
                    tls.enabledProtocols().isEmpty()
                            ? new String[] {X509Util.DEFAULT_PROTOCOL}
                            : tls.enabledProtocols().split(","));
            if (!tls.ciphersuites().isEmpty()) {
                parameters.setCipherSuites(tls.ciphersuites().split(","));
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            // In TLS 1.3 a server refuses a certificate after the handshake. Otherwise it waits for a request.
            socket.getInputStream().read();
        }
    }

    private static String advice(Throwable thrown, Security.Tls tls, String host) {
        if (isCausedBy(thrown, CertificateExpiredException.class)
                || isCausedBy(thrown, CertificateNotYetValidException.class)) {
            return "Renew the certificate of the server, or correct the clocks";
        }
        if (isCausedBy(thrown, CertPathBuilderException.class)) {
            String store = tls.trustStore().location();
            return "The issuer of the server's certificate is missing in the trust store "
                    + (store.isEmpty() ? "of Java; configure trustStore.location" : store + "; add it");
        }
        if (isCausedBy(thrown, CertificateException.class)) {
            return "The certificate of the server must name the host " + host + " as the connect string does";
        }
        if (String.valueOf(thrown.getMessage()).startsWith("Received fatal alert")) {
            return "The server refuses the certificate of this instance or its version of TLS: check keyStore.location,"
                    + " the trust store of the server and enabledProtocols";
        }
        return "Check whether this is the server's port for TLS (secureClientPort), enabledProtocols and ciphersuites";
    }

    /** Returns the deepest reason, in words of our own where Java's are unclear. */
    private static String reason(Throwable thrown) {
        if (isCausedBy(thrown, UnrecoverableKeyException.class) || isCausedBy(thrown, BadPaddingException.class)) {
            return "the password is wrong";
        }
        Throwable deepest = deepest(thrown);
        if (deepest instanceof CertificateExpiredException || deepest instanceof CertificateNotYetValidException) {
            return "the certificate has expired or is not valid yet (" + deepest.getMessage() + ")";
        }
        return deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
    }

    static Throwable deepest(Throwable thrown) {
        return thrown.getCause() == null ? thrown : deepest(thrown.getCause());
    }

    private static boolean isCausedBy(Throwable thrown, Class<? extends Throwable> type) {
        return thrown != null && (type.isInstance(thrown) || isCausedBy(thrown.getCause(), type));
    }

    private interface Check {
        void of(String location, String password, String type)
                throws IOException, GeneralSecurityException, X509Exception;
    }
}
