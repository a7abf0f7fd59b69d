// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What can be configured, with defaults and bounds, for editors and for {@code BackendSettings}. */
@ObjectClassDefinition(
        name = "Discovery on ZooKeeper",
        description =
                "Which cluster this instance belongs to, and how changes of its membership are settled. A value that"
                        + " cannot be used is reported on the topology page and in the log, and its default is used instead.")
@interface ZooKeeperBackendConfig {
    int MIN_SESSION_MILLIS = 100;
    int MIN_LEASE_MILLIS = 1_000;
    int MAX_SESSION_MILLIS = 600_000;
    long MIN_SETTLE_MILLIS = 100;
    long MAX_SETTLE_MILLIS = 86_400_000;
    long MAX_QUIET_MILLIS = 3_600_000;
    long MAX_REGROUP_MILLIS = 60_000;
    int MAX_LOSSES = 1_000;
    long MIN_WINDOW_MILLIS = 1_000;
    long MAX_WINDOW_MILLIS = 86_400_000;
    long MIN_REST_MILLIS = 100;
    long MAX_REST_MILLIS = 3_600_000;

    @AttributeDefinition(
            name = "ZooKeeper servers",
            description =
                    "host:port pairs, separated by commas. A path after the last pair is put before the root path; it"
                            + " is created when it is missing.")
    String connectString() default "127.0.0.1:2181";

    @AttributeDefinition(
            name = "Root path",
            description =
                    "The node below which discovery keeps its data. All instances of a cluster have" + " the same.")
    String rootPath() default ZooKeeperStoreConfig.DEFAULT_ROOT_PATH;

    @AttributeDefinition(
            name = "Cluster name",
            description = "The cluster that this instance belongs to: letters, digits, dot, underscore and minus.")
    String clusterName() default ZooKeeperStoreConfig.DEFAULT_CLUSTER_NAME;

    @AttributeDefinition(
            name = "Session timeout (ms)",
            description =
                    "An instance that the servers have not heard of for this time has left. The servers may grant another value;"
                            + " normally from 2 to 20 of their ticks.",
            type = AttributeType.INTEGER,
            min = "" + MIN_SESSION_MILLIS,
            max = "" + MAX_SESSION_MILLIS)
    int sessionTimeoutMillis() default ZooKeeperStoreConfig.DEFAULT_SESSION_MILLIS;

    @AttributeDefinition(
            name = "Lease (ms)",
            description =
                    "How long the lease of a leader is where the session timeout is longer. The successor of a leader that crashed waits"
                            + " for three quarters of it. The leader writes three times within it, and loses its lease if its connection is"
                            + " lost for two thirds of it. It applies to the next connection.",
            type = AttributeType.INTEGER,
            min = "" + MIN_LEASE_MILLIS,
            max = "" + MAX_SESSION_MILLIS)
    int leaseMillis() default MAX_SESSION_MILLIS;

    @AttributeDefinition(
            name = "Access rights",
            description =
                    "The ACL of each node that this instance creates: open, creator (the identities that ZooKeeper has"
                            + " authenticated this instance as), or entries such as sasl:name:cdrwa. All instances need all rights. While"
                            + " this value cannot be used, the instance stays out of ZooKeeper.")
    String[] acl() default {"open"};

    @AttributeDefinition(
            name = "Readers",
            description =
                    "The clients that may read the nodes too, unless the access rights are open: world, or entries such as"
                            + " sasl:name:r.")
    String[] aclRead() default {};

    @AttributeDefinition(
            name = "Settle timeout (ms)",
            description =
                    "How long a change waits for a member whose listeners have not returned, before the next view is"
                            + " published without it. Not shorter than the session timeout.",
            type = AttributeType.LONG,
            min = "" + MIN_SETTLE_MILLIS,
            max = "" + MAX_SETTLE_MILLIS)
    long settleTimeoutMillis() default 30_000;

    @AttributeDefinition(
            name = "Quiet period (ms)",
            description =
                    "For how long the membership must have been unchanged before the next view is published;"
                            + " 0 for immediately. It combines the starts of many instances into one change, and delays each change.",
            type = AttributeType.LONG,
            min = "0",
            max = "" + MAX_QUIET_MILLIS)
    long quietMillis() default 0;

    @AttributeDefinition(
            name = "Regrouping (ms)",
            description =
                    "How long the first instances that are back after an outage, in which most sessions ended, wait for"
                            + " the other members before the next view is published; 0 for not at all. Listeners then receive one"
                            + " CHANGED instead of one for each instance that is back. No other change is delayed.",
            type = AttributeType.LONG,
            min = "0",
            max = "" + MAX_REGROUP_MILLIS)
    long regroupMillis() default 2_000;

    @AttributeDefinition(
            name = "When the connection is lost",
            description = "Whether the view stays current until the lease ends, so that a restart of a ZooKeeper server"
                    + " has no effect, or stops being current immediately.",
            options = {
                @Option(label = "Current until the lease ends", value = "LEASE"),
                @Option(label = "Not current immediately", value = "STRICT")
            })
    String suspendedPolicy() default "LEASE";

    @AttributeDefinition(
            name = "Tolerated losses",
            description =
                    "How often this instance may lose its seniority within the window, because its session ends"
                            + " or because it is excluded or removed, before it is quarantined: it then waits before it joins again.",
            type = AttributeType.INTEGER,
            min = "0",
            max = "" + MAX_LOSSES)
    int quarantineLosses() default 5;

    @AttributeDefinition(
            name = "Window of the losses (ms)",
            description = "How long a loss of the seniority counts.",
            type = AttributeType.LONG,
            min = "" + MIN_WINDOW_MILLIS,
            max = "" + MAX_WINDOW_MILLIS)
    long quarantineWindowMillis() default 300_000;

    @AttributeDefinition(
            name = "First rest (ms)",
            description = "How long the instance waits after the first loss too many. Each further loss doubles it.",
            type = AttributeType.LONG,
            min = "" + MIN_REST_MILLIS,
            max = "" + MAX_REST_MILLIS)
    long quarantineFirstRestMillis() default 10_000;

    @AttributeDefinition(
            name = "Longest rest (ms)",
            description = "How long the instance waits at most. Not shorter than the first rest.",
            type = AttributeType.LONG,
            min = "" + MIN_REST_MILLIS,
            max = "" + MAX_REST_MILLIS)
    long quarantineLongestRestMillis() default 120_000;

    @AttributeDefinition(name = "Encrypt with TLS", description = "Neither true nor false counts as true.")
    boolean secure() default false;

    @AttributeDefinition(name = "Key store", description = "File with the key of this instance.")
    String keyStore_location() default "";

    @AttributeDefinition(name = "Key store password", description = "Prefer a file.", type = AttributeType.PASSWORD)
    String keyStore_password() default "";

    @AttributeDefinition(name = "Key store password file", description = "It takes precedence.")
    String keyStore_passwordPath() default "";

    @AttributeDefinition(name = "Key store type", description = "PEM, PKCS12, JKS; default: by name.")
    String keyStore_type() default "";

    @AttributeDefinition(name = "Trust store", description = "File with the issuers of the servers; default: Java's.")
    String trustStore_location() default "";

    @AttributeDefinition(name = "Trust store password", description = "Prefer a file.", type = AttributeType.PASSWORD)
    String trustStore_password() default "";

    @AttributeDefinition(name = "Trust store password file", description = "It takes precedence.")
    String trustStore_passwordPath() default "";

    @AttributeDefinition(name = "Trust store type", description = "PEM, PKCS12, JKS; default: by name.")
    String trustStore_type() default "";

    @AttributeDefinition(name = "Check host names", description = "Certificates must name the connected host.")
    boolean hostnameVerification() default true;

    @AttributeDefinition(name = "Versions of TLS", description = "Separated by commas; default: TLSv1.3.")
    String enabledProtocols() default "";

    @AttributeDefinition(name = "Cipher suites", description = "Separated by commas; default: ZooKeeper's.")
    String ciphersuites() default "";

    @AttributeDefinition(name = "Authentication scheme", description = "digest is unencrypted: use it with TLS.")
    String authScheme() default "";

    @AttributeDefinition(
            name = "Authentication data",
            description = "user:password; prefer a file.",
            type = AttributeType.PASSWORD)
    String authData() default "";

    @AttributeDefinition(name = "Authentication data file", description = "It takes precedence.")
    String authDataPath() default "";

    @AttributeDefinition(name = "SASL user", description = "For DIGEST-MD5.")
    String saslUser() default "";

    @AttributeDefinition(name = "SASL password", description = "Prefer a file.", type = AttributeType.PASSWORD)
    String saslPassword() default "";

    @AttributeDefinition(name = "SASL password file", description = "It takes precedence.")
    String saslPasswordPath() default "";

    @AttributeDefinition(name = "Kerberos principal", description = "Of this instance.")
    String kerberosPrincipal() default "";

    @AttributeDefinition(name = "Kerberos keytab", description = "The file with the key of the principal.")
    String kerberosKeytab() default "";

    @AttributeDefinition(name = "JAAS section", description = "Instead of a user or principal.")
    String saslLoginContext() default "";
}
