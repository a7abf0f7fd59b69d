// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with two connected instances that have not joined. No call of an observer may overlap with another. */
abstract class TwoInstances extends OneServer {
    Witness a;
    Witness b;

    @BeforeEach
    final void connect() {
        a = witness("a");
        b = witness("b");
        a.awaitSnapshot(any -> true);
        b.awaitSnapshot(any -> true);
    }

    @AfterEach
    final void disconnect() {
        a.close();
        b.close();
        assertThat(a.overlapped()).isFalse();
        assertThat(b.overlapped()).isFalse();
    }
}
