// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ClientInfo;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.proto.WhoAmIResponse;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** ZooKeeper's client that can be ended without its session. Its request for the identities of the session does not block. */
@SuppressWarnings("try")
public class Client extends ZooKeeper {
    private final boolean takesOver;
    private volatile boolean keepsSession;
    private volatile String digest = "";

    public Client(
            String servers,
            int timeoutMillis,
            Watcher watcher,
            long sessionId,
            byte[] password,
            HostProvider hosts,
            ZKClientConfig config)
            throws IOException {
        super(servers, timeoutMillis, watcher, sessionId, password, false, hosts, config);
        takesOver = sessionId != 0;
    }

    @Override
    public void addAuthInfo(String scheme, byte[] auth) {
        try {
            // The server decodes it likewise.
            String text = new String(auth, Charset.defaultCharset());
            digest = scheme.equals("digest") ? DigestAuthenticationProvider.generateDigest(text) : "";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // The provider has used it before.
        }
        super.addAuthInfo(scheme, auth);
    }

    /** Reads the identities that the server has authenticated, as ACLs name them. Servers before 3.7 do not implement it. */
    void readIdentities(BiConsumer<Integer, List<Id>> reply) {
        RequestHeader header = new RequestHeader();
        header.setType(OpCode.whoAmI);
        WhoAmIResponse response = new WhoAmIResponse();
        VoidCallback callback = (rc, path, context) -> reply.accept(
                rc,
                Stream.ofNullable(response.getClientInfo())
                        .flatMap(List::stream)
                        .map(one -> new Id(one.getAuthScheme(), named(one)))
                        .toList());
        cnxn.queuePacket(header, new ReplyHeader(), null, response, callback, null, null, null, null);
    }

    /** The server names the user of a digest without the hash. */
    private String named(ClientInfo one) {
        boolean ofDigest = one.getAuthScheme().equals("digest") && digest.startsWith(one.getUser() + ":");
        return ofDigest ? digest : one.getUser();
    }

    /** Returns whether the client takes over the session of another one. */
    boolean takesOver() {
        return takesOver;
    }

    /** Returns the local address of the present connection. */
    Optional<InetAddress> localAddress() {
        return testableLocalSocketAddress() instanceof InetSocketAddress local
                ? Optional.ofNullable(local.getAddress())
                : Optional.empty();
    }

    /** Ends the client, and leaves its session to the next one. */
    void abandon() {
        keepsSession = true;
        // It would report the end of its session.
        register(event -> {});
        if (getState().isAlive()) {
            cnxn.disconnect();
        }
    }

    /** Returns whether the client was ended so that the next one takes over its session. */
    boolean isAbandoned() {
        return keepsSession;
    }

    @Override
    public synchronized void close() throws InterruptedException {
        if (!keepsSession) {
            super.close();
        }
    }
}
