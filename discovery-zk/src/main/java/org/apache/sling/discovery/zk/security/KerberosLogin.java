// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.security;

import com.sun.security.auth.module.Krb5LoginModule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.login.LoginException;

/** Java's login with Kerberos and a keytab, which reports why it fails: ZooKeeper's client only logs the reason. */
public final class KerberosLogin extends Krb5LoginModule {
    static final String REPORT = "report";

    private Consumer<LoginException> report;

    @Override
    @SuppressWarnings("unchecked")
    public void initialize(Subject subject, CallbackHandler handler, Map<String, ?> shared, Map<String, ?> options) {
        report = (Consumer<LoginException>) options.get(REPORT);
        Map<String, Object> all = new HashMap<>(options);
        List.of("useKeyTab", "storeKey", "doNotPrompt", "refreshKrb5Config").forEach(flag -> all.put(flag, "true"));
        super.initialize(subject, handler, shared, all);
    }

    @Override
    public boolean login() throws LoginException {
        try {
            return super.login();
        } catch (LoginException e) {
            report.accept(e);
            throw e;
        }
    }
}
