// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;

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
