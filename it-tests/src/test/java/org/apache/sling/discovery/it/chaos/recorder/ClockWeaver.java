// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.osgi.framework.hooks.weaving.WeavingHook;
import org.osgi.framework.hooks.weaving.WovenClass;

/** Makes the only class that reads the clocks for an instance read {@link SkewedClock} instead of {@link System}. */
final class ClockWeaver implements WeavingHook {

    private static final String CLOCKS = "org.apache.sling.discovery.base.environment.Time";

    @Override
    public void weave(WovenClass type) {
        if (type.getClassName().equals(CLOCKS)) {
            try {
                type.setBytes(ClassBytes.withAnotherOwner(
                        type.getBytes(),
                        System.class.getName().replace('.', '/'),
                        SkewedClock.class.getName().replace('.', '/')));
                type.getDynamicImports().add(SkewedClock.class.getPackageName());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
