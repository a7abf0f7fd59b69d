// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/** A KDC in this process, which is that of the JVM until it is closed. Only one can be open at a time. */
public final class Kdc implements AutoCloseable {
    private static final String REALM = "TEST.REALM";
    private static final String CONFIGURATION = "java.security.krb5.conf";

    private final String before = System.getProperty(CONFIGURATION);
    private final SimpleKdcServer kdc;
    private final Path folder;
    private final TcpProxy way;

    /** Starts it, with its files in this folder. */
    public Kdc(Path folder) throws KrbException, IOException {
        this.folder = folder;
        this.kdc = new SimpleKdcServer();
        kdc.setWorkDir(folder.toFile());
        kdc.setKdcHost("127.0.0.1");
        kdc.setKdcRealm(REALM);
        kdc.setAllowUdp(false);
        kdc.setKdcTcpPort(FreePort.next());
        kdc.init();
        kdc.start();
        way = new TcpProxy(kdc.getKdcSetting().getKdcTcpPort());
        Path configuration = Files.writeString(
                folder.resolve("own-krb5.conf"),
                "[libdefaults]\n default_realm = " + REALM + "\n udp_preference_limit = 1\n kdc_timeout = 2000\n"
                        + " max_retries = 1\n[realms]\n " + REALM + " = {\n  kdc = " + way.address() + "\n }\n");
        System.setProperty(CONFIGURATION, configuration.toString());
    }

    /** Returns the principal with this name in the realm. */
    public String principal(String name) {
        return name + "@" + REALM;
    }

    /** Creates a principal, and returns the file with its key. */
    public Path keytab(String name) throws KrbException {
        Path file = folder.resolve(name.replaceAll("\\W", "-") + ".keytab");
        kdc.createPrincipals(principal(name));
        kdc.exportPrincipal(principal(name), file.toFile());
        return file;
    }

    /** Starts a ZooKeeper server that has an identity here, with further lines of its configuration. */
    public void start(SecuredServer server, String... lines) throws KrbException, IOException {
        String service = "zookeeper/" + InetAddress.getByName("127.0.0.1").getCanonicalHostName();
        server.start(
                "Server { com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\""
                        + keytab(service) + "\" principal=\"" + principal(service) + "\"; };",
                lines);
    }

    /** Returns the way to it, which can be disturbed. */
    public TcpProxy way() {
        return way;
    }

    @Override
    public void close() throws KrbException {
        way.close();
        kdc.stop();
        if (before == null) {
            System.clearProperty(CONFIGURATION);
        } else {
            System.setProperty(CONFIGURATION, before);
        }
    }
}
