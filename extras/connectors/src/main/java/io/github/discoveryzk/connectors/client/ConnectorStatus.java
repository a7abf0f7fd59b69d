// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.client;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport.PeerExchanges;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry.Verdict;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.report.ConnectorReport.Traffic;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;

/** What page and log show of a connector. Its methods may be called from any thread. */
final class ConnectorStatus {

    /** Stands for no time. */
    static final long NEVER = Long.MAX_VALUE;

    private final List<URI> urls;
    private final Time time;
    private final Logger log;
    private ConnectorState state = ConnectorState.CONNECTING;
    private String sentence = "The first ping has not ended yet.";
    private long sinceMillis;
    private URI last;
    private Optional<String> peer = Optional.empty();
    private OptionalLong acceptedMillis = OptionalLong.empty();
    private long expiresAt = Long.MIN_VALUE;
    private Traffic traffic = Traffic.NOTHING;

    ConnectorStatus(List<URI> urls, Time time, Logger log) {
        this.urls = urls;
        this.time = time;
        this.log = log;
        last = urls.get(0);
        sinceMillis = time.wall().getAsLong();
    }

    /** Records which URL is asked now. */
    synchronized void asks(URI url) {
        last = url;
    }

    synchronized void count(PeerExchanges.Result result) {
        traffic = new Traffic(
                traffic.requests() + 1,
                traffic.failures() + (result.reply().isPresent() ? 0 : 1),
                traffic.bytesSent() + result.bytesSent(),
                traffic.bytesReceived() + result.bytesReceived());
    }

    /** Records who replied; what it announced before counts no more. */
    synchronized void replied(String owner, Verdict verdict) {
        peer = Optional.of(owner);
        expiresAt = verdict.expiresAt();
        if (verdict.state() == ConnectorState.CONNECTED) {
            acceptedMillis = OptionalLong.of(time.wall().getAsLong());
        }
    }

    synchronized void describe(String text) {
        sentence = text;
    }

    /** Changes the state, and logs it if it is another one. */
    synchronized void enter(ConnectorState next, String why) {
        sentence = why;
        if (next != state) {
            state = next;
            sinceMillis = time.wall().getAsLong();
            if (next == ConnectorState.FAILING) {
                log.warn("Connector {} fails: {}", name(), why);
            } else {
                log.info("Connector {} is {} now: {}", name(), next, why);
            }
        }
    }

    /** Records that another URL replies than before. */
    synchronized void usesAnother(URI url) {
        log.info("Connector {} uses {} now", name(), PeerClient.shown(url));
    }

    synchronized void failed(RuntimeException e) {
        log.error("Connector {} failed unexpectedly and continues with its next ping", name(), e);
    }

    private String name() {
        return PeerClient.shown(urls.get(0));
    }

    /** Returns what is shown; times of the future are monotonic until then. */
    synchronized ConnectorReport.Outgoing report(long nextPing) {
        long now = time.monotonic().getAsLong();
        long offset = time.wall().getAsLong() - now;
        boolean expired = state == ConnectorState.CONNECTED && now >= expiresAt;
        return new ConnectorReport.Outgoing(
                urls.stream().map(PeerClient::shown).toList(),
                PeerClient.shown(last),
                expired ? ConnectorState.CONNECTING : state,
                expired ? "The announcement of " + peer.orElseThrow() + " expired. " + sentence : sentence,
                peer,
                new ConnectorReport.Times(
                        sinceMillis,
                        acceptedMillis,
                        wall(nextPing, offset),
                        wall(now < expiresAt ? expiresAt : NEVER, offset)),
                traffic);
    }

    private static OptionalLong wall(long monotonic, long offset) {
        return monotonic == NEVER ? OptionalLong.empty() : OptionalLong.of(monotonic + offset);
    }
}
