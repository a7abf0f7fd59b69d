// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.security;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Optional;
import javax.crypto.BadPaddingException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.sling.discovery.zk.security.Security.Tls;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;

/** Finds out why connections with TLS fail, because ZooKeeper's client only logs it: opens the stores, then tries a handshake. */
final class TlsCheck {
    private static final int LIMIT_MILLIS = 2_000;

    private TlsCheck() {}

    /** Returns why the key store or the trust store cannot be used. */
    static Optional<String> problem(Tls tls) {
        try (ClientX509Util util = new ClientX509Util()) {
            util.createSSLContext(TlsOptions.of(tls));
            checkValidity(tls.keyStore());
            return Optional.empty();
        } catch (IOException | GeneralSecurityException | X509Exception | IllegalArgumentException e) {
            boolean ofTrust = isCausedBy(e, X509Exception.TrustManagerException.class);
            String store = ofTrust
                    ? "trust store " + tls.trustStore().location()
                    : "key store " + tls.keyStore().location();
            String option = ofTrust ? "trustStore" : "keyStore";
            return Optional.of("The " + store + " cannot be used: " + reason(e) + ". Check " + option + ".location, "
                    + option + ".password, " + option + ".passwordPath and " + option + ".type" + ClientSecurity.AGAIN);
        }
    }

    private static void checkValidity(Security.Store keys) throws IOException, GeneralSecurityException {
        if (!keys.location().isEmpty()) {
            String type = keys.type().isEmpty() ? null : keys.type();
            KeyStore opened =
                    X509Util.loadKeyStore(keys.location(), keys.password().read(), type);
            for (String alias : Collections.list(opened.aliases())) {
                if (opened.getCertificate(alias) instanceof X509Certificate certificate) {
                    certificate.checkValidity();
                }
            }
        }
    }

    /** Returns why a server cannot be reached with TLS; empty when a handshake succeeds or the server does not answer at all. */
    static Optional<String> problem(Tls tls, InetSocketAddress server) {
        return problem(tls).or(() -> shakeHands(tls, server));
    }

    private static Optional<String> shakeHands(Tls tls, InetSocketAddress server) {
        try (ClientX509Util util = new ClientX509Util();
                SSLSocket socket =
                        util.createSSLContextAndOptions(TlsOptions.of(tls)).createSSLSocket()) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm(tls.hostnameVerification() ? "HTTPS" : null);
            socket.setSSLParameters(parameters);
            socket.connect(server, LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.startHandshake();
            // In TLS 1.3 a server refuses a certificate after the handshake. Otherwise it waits for a request.
            socket.getInputStream().read();
            return Optional.empty();
        } catch (SocketTimeoutException | ConnectException | NoRouteToHostException e) {
            return Optional.empty();
        } catch (IOException | X509Exception | IllegalArgumentException e) {
            return Optional.of("The TLS handshake with ZooKeeper at " + server.getHostString() + ":" + server.getPort()
                    + " fails: " + reason(e)
                    + ". Check whether this is the server's port for TLS (secureClientPort), whether"
                    + " its certificate is valid, names this host and has an issuer in trustStore.location, whether the"
                    + " server trusts the certificate in keyStore.location, and enabledProtocols"
                    + ClientSecurity.AGAIN);
        }
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

    private static Throwable deepest(Throwable thrown) {
        return thrown.getCause() == null ? thrown : deepest(thrown.getCause());
    }

    private static boolean isCausedBy(Throwable thrown, Class<? extends Throwable> type) {
        return thrown != null && (type.isInstance(thrown) || isCausedBy(thrown.getCause(), type));
    }
}
