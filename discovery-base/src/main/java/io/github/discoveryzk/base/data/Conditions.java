// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.base.view.ViewFence;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.spi.DataStore.Proof;
import io.github.discoveryzk.spi.ValueFence;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** What the store checks for the fences of a write, and the token that is written with it. */
record Conditions(OptionalLong token, OptionalLong ledView, Optional<ValueFence<?>> proven, Optional<Proof> proof) {

    private static final Conditions NONE =
            new Conditions(OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());

    /**
     * Returns what is to be checked now.
     *
     * @param self the member node of this instance
     * @throws IllegalArgumentException with a sentence if a fence does not hold
     */
    static Conditions of(String self, Fence... fences) {
        Conditions all = NONE;
        for (Fence fence : fences) {
            all = all.with(self, fence);
        }
        return all;
    }

    private Conditions with(String self, Fence fence) {
        OptionalLong written = OptionalLong.of(fence.token());
        if (fence instanceof ViewFence leadership && leadership.node().equals(self)) {
            return new Conditions(written, OptionalLong.of(leadership.viewNumber()), proven, proof);
        } else if (fence instanceof ValueFence<?> next && next.value() instanceof Copy<?> value) {
            long version = next.proof()
                    .map(Versioned::version)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The " + value.address + " does not prove the fence " + fence + " any more."));
            return new Conditions(written, ledView, Optional.of(next), Optional.of(new Proof(value.address, version)));
        }
        throw new IllegalArgumentException(
                "The fence " + fence + " is not one of the present membership of this instance.");
    }

    /** Reads the value that proved a fence. Completes with whether another one has replaced it. */
    CompletionStage<Boolean> isOutdated() {
        return proven.orElseThrow()
                .value()
                .read()
                .handle((now, thrown) -> thrown == null
                        && now.filter(present ->
                                        present.version() == proof.get().version())
                                .isEmpty());
    }
}
