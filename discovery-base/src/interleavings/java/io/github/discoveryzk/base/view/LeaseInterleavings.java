// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/** A lease is read, extended and ended, and its clock advances, in many orders of these steps. */
@ExtendWith(FrayTestExtension.class)
class LeaseInterleavings {

    @FrayTest(iterations = 5_000, resetClassLoaderPerIteration = false)
    void aLeaseThatWasOverOnceIsNeverHeldAgain() {
        Crew crew = new Crew();
        AtomicLong clock = new AtomicLong();
        Lease lease = new Lease(clock::get, 10);
        crew.execute(() -> clock.set(10));
        crew.execute(() -> {
            if (lease.extend(20)) {
                lease.extend(30);
            }
        });
        crew.execute(() -> {
            boolean before = lease.isHeld();
            assertThat(lease.isHeld() && !before).isFalse();
        });
        crew.execute(lease::end);
        crew.join();
        assertThat(lease.isHeld()).isFalse();
    }
}
