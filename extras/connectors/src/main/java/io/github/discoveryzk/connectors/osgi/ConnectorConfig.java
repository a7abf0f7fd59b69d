// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The configuration for editors; {@link ConnectorConfiguration} reads it. */
@ObjectClassDefinition(
        name = "Discovery: topology connectors",
        description = "How this cluster is connected over HTTP to clusters elsewhere, also to those of Apache Sling."
                + " Without this configuration there are no connectors. A value that cannot be used is reported on the"
                + " topology page and in the log, and its default is used instead. If"
                + " signatures or encryption are configured wrongly, connectors stay off.")
@interface ConnectorConfig {

    @AttributeDefinition(
            name = "Connectors",
            description = "The clusters to connect to: one entry for each connector, such as"
                    + " http://host:8080/libs/sling/topology/connector. Further URLs in the same entry, separated by"
                    + " blanks, are fall-backs to other instances of the same cluster.",
            cardinality = 1024)
    String[] topologyConnectorUrls() default {};

    @AttributeDefinition(
            name = "Allow list",
            description =
                    "The peers that may connect: IP addresses, networks such as 10.1.2.0/24 or fd00::/8, host names, or"
                            + " patterns with * and ?. Used only if messages are not signed.",
            cardinality = 1024)
    String[] topologyConnectorWhitelist() default {"localhost", "127.0.0.1"};

    @AttributeDefinition(
            name = "Ping interval (s)",
            description = "How often each connector sends its announcement.",
            min = "1",
            max = "86400")
    long connectorPingInterval() default 30;

    @AttributeDefinition(
            name = "Ping timeout (s)",
            description = "How long the announcement of a peer is kept without a ping. Longer than the ping interval.",
            min = "1",
            max = "604800")
    long connectorPingTimeout() default 120;

    @AttributeDefinition(
            name = "Connect timeout (s)",
            description = "How long the connection to a peer may take to be established.",
            min = "1",
            max = "3600")
    int socketConnectTimeout() default 10;

    @AttributeDefinition(
            name = "Exchange timeout (s)",
            description = "How long a peer may take for its reply, and for the body of a request.",
            min = "1",
            max = "3600")
    int soTimeout() default 10;

    @AttributeDefinition(
            name = "Compress requests",
            description = "Whether announcements are sent with gzip. Replies are compressed if the peer accepts it.")
    boolean gzipConnectorRequestsEnabled() default false;

    @AttributeDefinition(
            name = "Sign messages",
            description =
                    "Whether messages are signed with the shared key (HMAC). Both sides need the same setting. The allow list"
                            + " is not used then.")
    boolean hmacEnabled() default false;

    @AttributeDefinition(
            name = "Encrypt messages",
            description =
                    "Whether messages are encrypted with the shared key. They have to be signed too. Instances of Apache"
                            + " Sling need both or none.")
    boolean enableEncryption() default false;

    @AttributeDefinition(
            name = "Shared key",
            description = "The secret that both sides of a connector share.",
            type = AttributeType.PASSWORD)
    String sharedKey() default "";

    @AttributeDefinition(
            name = "Lifetime of a derived key (ms)",
            description =
                    "How long a key that is derived from the shared key signs messages. Both sides need the same value, and"
                            + " their clocks may differ by as much.",
            min = "10000",
            max = "31622400000")
    long hmacSharedKeyTTL() default 14_400_000;

    @AttributeDefinition(
            name = "Stop connectors to this instance",
            description = "Whether a connector that leads back to this instance stops until the configuration changes.")
    boolean autoStopLocalLoopEnabled() default false;
}
