// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;

/**
 * Adds sections to the login configuration of the JVM, which is the only one that ZooKeeper's client reads. All other sections are those of
 * the configuration that was there before. It is safe for use by any thread.
 */
final class LoginSections extends Configuration {
    /** The login module for DIGEST-MD5. */
    static final String DIGEST = "org.apache.zookeeper.server.auth.DigestLoginModule";

    /** The login module for Kerberos. */
    static final String KERBEROS = "com.sun.security.auth.module.Krb5LoginModule";

    private static final Map<String, AppConfigurationEntry[]> SECTIONS = new ConcurrentHashMap<>();

    /** Null stands for the default of Java, which may come into being later. */
    private final Configuration others;

    private LoginSections(Configuration others) {
        this.others = others;
    }

    /** Sets a section. A client that is made later finds it even if another application has replaced the configuration. */
    static synchronized void set(String name, String module, Map<String, ?> options) {
        AppConfigurationEntry entry = new AppConfigurationEntry(module, LoginModuleControlFlag.REQUIRED, options);
        SECTIONS.put(name, new AppConfigurationEntry[] {entry});
        // A configuration that was set later normally asks the one before.
        if (module(name).isEmpty()) {
            setConfiguration(new LoginSections(current()));
        }
    }

    /** Removes a section, and with the last one the configuration itself, unless another one was set on top of it. */
    static synchronized void remove(String name) {
        SECTIONS.remove(name);
        if (SECTIONS.isEmpty() && current() instanceof LoginSections ours) {
            setConfiguration(ours.others);
        }
    }

    /** Returns the login module of a section of the JVM; empty when there is no such section. */
    static String module(String name) {
        Configuration now = current();
        AppConfigurationEntry[] entries = now == null ? null : now.getAppConfigurationEntry(name);
        return entries == null || entries.length == 0 ? "" : entries[0].getLoginModuleName();
    }

    private static Configuration current() {
        try {
            return getConfiguration();
        } catch (SecurityException e) {
            // There is no file with a login configuration.
            return null;
        }
    }

    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        AppConfigurationEntry[] own = SECTIONS.get(name);
        if (own != null) {
            return own;
        }
        try {
            Configuration asked = others == null ? getInstance("JavaLoginConfig", null) : others;
            return asked.getAppConfigurationEntry(name);
        } catch (NoSuchAlgorithmException | SecurityException e) {
            return null;
        }
    }

    @Override
    public void refresh() {
        if (others != null) {
            others.refresh();
        }
    }
}
