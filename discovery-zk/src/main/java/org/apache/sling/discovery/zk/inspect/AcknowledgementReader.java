// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.inspect;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.AcknowledgementName;
import org.apache.sling.discovery.zk.tree.Paths;

/** Reads the acknowledgements for display: one listing, because their names have the whole content. */
public final class AcknowledgementReader {
    private final Session session;
    private final Paths paths;

    public AcknowledgementReader(Session session, Paths paths) {
        this.session = session;
        this.paths = paths;
    }

    /** Reads the acknowledgements. Nodes with other names are omitted: the tree shows them as foreign. */
    public CompletableFuture<Set<Acknowledgement>> read() {
        return session.list(paths.acks()).thenApply(names -> names.stream()
                .map(AcknowledgementName::parse)
                .flatMap(Optional::stream)
                .collect(Collectors.toUnmodifiableSet()));
    }
}
