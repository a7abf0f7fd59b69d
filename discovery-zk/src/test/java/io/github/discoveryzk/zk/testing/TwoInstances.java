// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.testing;

import io.github.discoveryzk.testing.Witness;
import org.junit.jupiter.api.BeforeEach;

/** A server with two connected instances that have not joined. */
public abstract class TwoInstances extends OneServer {
    protected Witness a;
    protected Witness b;

    @BeforeEach
    final void connectTwo() {
        a = witness("a");
        b = witness("b");
        a.awaitSnapshot(any -> true);
        b.awaitSnapshot(any -> true);
    }
}
