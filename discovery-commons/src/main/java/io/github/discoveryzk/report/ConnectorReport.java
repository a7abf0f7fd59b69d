// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The connectors of an instance at one moment: those that it opens to peers and those that peers open to it. Times are wall-clock
 * milliseconds since 1970. No text is escaped for any format, and URLs hold no passwords.
 *
 * @param configured whether connectors are configured; without a configuration this instance opens none and accepts none
 * @param endpoint the path at which peers connect; empty while no servlet container offers it
 * @param outgoing the connectors that this instance opens, in the order of the configuration
 * @param incoming the announcements of peers that opened a connector to this instance, by owner
 * @param refusals requests that were refused, by sender and status, newest first, bounded
 * @param pingTimeoutMillis for how long an announcement is kept without a further exchange; 0 without a configuration
 */
public record ConnectorReport(
        boolean configured,
        Optional<String> endpoint,
        List<Outgoing> outgoing,
        List<Incoming> incoming,
        List<Refusal> refusals,
        long pingTimeoutMillis) {

    /** No connectors are configured. */
    public static final ConnectorReport NONE =
            new ConnectorReport(false, Optional.empty(), List.of(), List.of(), List.of(), 0);

    public ConnectorReport {
        outgoing = List.copyOf(outgoing);
        incoming = List.copyOf(incoming);
        refusals = List.copyOf(refusals);
    }

    /** The state of a connector that this instance opens. */
    public enum ConnectorState {
        /** No exchange has ended yet. */
        CONNECTING,
        /** The peer accepted the last announcement. */
        CONNECTED,
        /** The peer knows this cluster in another way; the connector asks again later. */
        STANDBY,
        /** The last exchange failed with every URL. */
        FAILING,
        /** The connector leads back to this instance and has stopped until the configuration changes. */
        STOPPED
    }

    /**
     * A connector that this instance opens.
     *
     * @param urls its URLs as configured, the preferred one first, without user and password
     * @param url the URL of the last exchange, one of them
     * @param state its state by name
     * @param sentence the state in words: what happened, with which status or error, what happens next; without times and counts that
     *     change with each ping
     * @param peer the id of the instance that replied last; empty before the first reply
     * @param times since when it has its state, and when it exchanges announcements
     * @param traffic what was exchanged since the connector was configured
     */
    public record Outgoing(
            List<String> urls,
            String url,
            ConnectorState state,
            String sentence,
            Optional<String> peer,
            Times times,
            Traffic traffic) {
        public Outgoing {
            urls = List.copyOf(urls);
        }
    }

    /**
     * A connector that a peer opens.
     *
     * @param ownerId the id of the instance that pings
     * @param serverInfo what it says about its host and port; empty when it says nothing
     * @param address the network address of the last request, without the port
     * @param clusterId the cluster that it announces
     * @param times since when it has been connected, and when it exchanges announcements
     * @param backoffSeconds how long the peer was asked to wait; 0 for nothing
     * @param traffic what was exchanged since then
     */
    public record Incoming(
            String ownerId,
            String serverInfo,
            String address,
            String clusterId,
            Times times,
            long backoffSeconds,
            Traffic traffic) {}

    /**
     * The times of a connector.
     *
     * @param sinceMillis since when its state is what it is
     * @param exchangedMillis when the last announcement of the peer was accepted; empty before the first
     * @param nextPingMillis when this instance pings next; empty when it does not
     * @param expiresMillis when the announcement of the peer expires without a further one; empty while there is none
     */
    public record Times(
            long sinceMillis, OptionalLong exchangedMillis, OptionalLong nextPingMillis, OptionalLong expiresMillis) {}

    /**
     * Counts of a connector.
     *
     * @param requests requests that were sent or received
     * @param failures requests without an accepted result
     * @param bytesSent bytes of bodies as transferred
     * @param bytesReceived bytes of bodies as transferred
     */
    public record Traffic(long requests, long failures, long bytesSent, long bytesReceived) {

        /** Nothing was exchanged. */
        public static final Traffic NOTHING = new Traffic(0, 0, 0, 0);
    }

    /**
     * Requests of one sender that were refused with one status.
     *
     * @param sender the network address of the sender, without the port
     * @param status the HTTP status of the reply
     * @param reason why the last one was refused, a sentence
     * @param count how many
     * @param firstMillis when the first one came
     * @param lastMillis when the last one came
     */
    public record Refusal(String sender, int status, String reason, long count, long firstMillis, long lastMillis) {}
}
