// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreObserver;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The store of an instance that is shown other endpoints than those of the other members: proxies, or ports that are blocked. */
final class ElsewhereStore implements ClusterStore {

    private final ClusterStore store;
    private final String self;
    private final Map<String, String> elsewhere;

    /** Shows to an instance the second endpoint where another member has the first one. */
    ElsewhereStore(ClusterStore store, String self, Map<String, String> elsewhere) {
        this.store = store;
        this.self = self;
        this.elsewhere = elsewhere;
    }

    @Override
    public void open(StoreObserver observer) {
        store.open(new StoreObserver() {
            @Override
            public void connected(long session, int sessionTimeoutMillis) {
                observer.connected(session, sessionTimeoutMillis);
            }

            @Override
            public void suspended() {
                observer.suspended();
            }

            @Override
            public void expired() {
                observer.expired();
            }

            @Override
            public void observed(StoreSnapshot snapshot) {
                List<Member> members =
                        snapshot.members().stream().map(each -> shown(each)).toList();
                observer.observed(snapshot.withMembers(members, snapshot.unreadable()));
            }

            @Override
            public void completed(Request request, Outcome outcome) {
                observer.completed(request, outcome);
            }

            @Override
            public void troubled(String sentence) {
                observer.troubled(sentence);
            }
        });
    }

    private Member shown(Member member) {
        MemberRecord record = member.record();
        ProcessInfo process = record.process();
        String endpoint = elsewhere.getOrDefault(process.endpoint(), process.endpoint());
        return member.instanceId().equals(self)
                ? member
                : member.withRecord(
                        record.withProcess(process.withEndpoint(endpoint, process.machine(), process.processName())));
    }

    @Override
    public void request(Request request) {
        store.request(request);
    }

    @Override
    public void collect(boolean acknowledgements) {
        store.collect(acknowledgements);
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return store.localAddress();
    }

    @Override
    public void close() {
        store.close();
    }
}
