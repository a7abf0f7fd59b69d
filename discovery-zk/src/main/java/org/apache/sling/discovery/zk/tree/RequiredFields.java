// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Collection;
import java.util.Objects;

/** Takes the fields that a record must have. */
public final class RequiredFields {
    private RequiredFields() {}

    /** Returns the value of a field. */
    public static <T> T required(T value, String name) throws Unreadable {
        if (value == null) {
            throw new Unreadable("it lacks the field " + name);
        }
        return value;
    }

    /** Returns the values of a field, none of which is null. */
    static <T extends Collection<?>> T requiredAll(T values, String name) throws Unreadable {
        if (required(values, name).stream().anyMatch(Objects::isNull)) {
            throw new Unreadable("it has a null in the field " + name);
        }
        return values;
    }
}
