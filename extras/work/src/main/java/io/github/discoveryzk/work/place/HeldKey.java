// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.spi.ValueFence;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Participant.Id;
import io.github.discoveryzk.work.rules.WorkKey;
import java.util.Map;

/** An ownership, which the record proves. */
final class HeldKey extends ValueFence<Map<String, Map<String, String>>> implements Ownership {

    private final LocalInstance instance;
    private final WorkKey name;
    private final Id owner;
    private final long token;
    private volatile boolean over;

    HeldKey(
            LocalInstance instance,
            SharedValue<Map<String, Map<String, String>>> record,
            WorkKey name,
            Id owner,
            long token) {
        super(record);
        this.instance = instance;
        this.name = name;
        this.owner = owner;
        this.token = token;
    }

    @Override
    public String set() {
        return name.set();
    }

    @Override
    public String key() {
        return name.key();
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public boolean isHeld() {
        if (!over
                && instance.stay()
                        .filter(stay -> stay.node().equals(owner.node()) && stay.heldMillis() > 0)
                        .isEmpty()) {
            over = true;
        }
        return !over;
    }

    void end() {
        over = true;
    }

    @Override
    protected boolean isProvenBy(Map<String, Map<String, String>> present) {
        try {
            return Assignment.decoded(present).names(name, owner, token);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "ownership of " + name + " with token " + token;
    }
}
