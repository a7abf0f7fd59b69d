// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Copies of records that differ in some components. */
public final class Records {

    private Records() {}

    /** Returns a copy of a record with other values, given as pairs of the name of a component and its value. */
    public static <T extends Record> T with(T record, Object... changes) {
        List<Object> names = Arrays.asList(changes);
        try {
            RecordComponent[] components = record.getClass().getRecordComponents();
            Object[] values = new Object[components.length];
            Class<?>[] types = new Class<?>[components.length];
            int changed = 0;
            for (int i = 0; i < components.length; i++) {
                int index = names.indexOf(components[i].getName());
                types[i] = components[i].getType();
                values[i] = index < 0 ? components[i].getAccessor().invoke(record) : changes[index + 1];
                changed += index < 0 ? 0 : 1;
            }
            if (changed * 2 != changes.length) {
                throw new IllegalArgumentException("not the components of a " + record.getClass() + ": " + names);
            }
            @SuppressWarnings("unchecked")
            T copy = (T) record.getClass().getDeclaredConstructor(types).newInstance(values);
            return copy;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
