// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What can be configured, with defaults and bounds, for editors and for {@code BackendSettings}. */
@ObjectClassDefinition(
        name = "Discovery on ZooKeeper",
        description =
                "Which cluster this instance belongs to, and how it connects. A value that cannot be used is reported on the"
                        + " topology page and in the log, and its default is used instead.")
@interface ZooKeeperBackendConfig {
    int MIN_SESSION_MILLIS = 100;
    int MAX_SESSION_MILLIS = 600_000;

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

    @AttributeDefinition(name = "Encrypt with TLS", description = "Neither true nor false counts as true.")
    boolean secure() default false;

    @AttributeDefinition(name = "Key store", description = "File with the key of this instance: .pem, .p12 or .jks.")
    String keyStore_location() default "";

    @AttributeDefinition(name = "Key store password", description = "Prefer a file.", type = AttributeType.PASSWORD)
    String keyStore_password() default "";

    @AttributeDefinition(name = "Key store password file", description = "It takes precedence.")
    String keyStore_passwordPath() default "";

    @AttributeDefinition(name = "Trust store", description = "File with the issuers of the servers; default: Java's.")
    String trustStore_location() default "";

    @AttributeDefinition(name = "Trust store password", description = "Prefer a file.", type = AttributeType.PASSWORD)
    String trustStore_password() default "";

    @AttributeDefinition(name = "Trust store password file", description = "It takes precedence.")
    String trustStore_passwordPath() default "";

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
