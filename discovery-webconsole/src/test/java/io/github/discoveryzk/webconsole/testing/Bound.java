// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import java.lang.reflect.Field;

/** Binds references of components, as a container does. */
public final class Bound {

    private Bound() {}

    public static void in(Object component, String reference, Object service) throws ReflectiveOperationException {
        Field field = component.getClass().getDeclaredField(reference);
        field.setAccessible(true);
        field.set(component, service);
    }
}
