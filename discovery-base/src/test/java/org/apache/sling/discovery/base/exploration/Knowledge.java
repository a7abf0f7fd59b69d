// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.sling.discovery.base.protocol.Observations;
import org.apache.sling.discovery.commons.model.MemberRecord;

/**
 * The {@link Observations} of an instance as a value: each change is made to a copy. Reads the fields by reflection, because a
 * copy must be complete and equal observations must be recognised. A field that is unknown here is an error, so that none is
 * forgotten.
 */
final class Knowledge {

    /** The last reply only matters to policies with a time for regrouping, which no scope has, and the candidates follow from the snapshot; so a fingerprint omits both. */
    private static final List<String> KNOWN = List.of(
            "own",
            "link",
            "snapshot",
            "candidates",
            "confirmations",
            "acknowledged",
            "renewals",
            "renewalsSince",
            "highest",
            "lastReply");

    private static final Map<String, Field> FIELDS = fields();

    private final Observations observations;

    Knowledge(MemberRecord own) {
        this(new Observations(own));
    }

    private Knowledge(Observations observations) {
        this.observations = observations;
    }

    Observations read() {
        return observations;
    }

    Knowledge with(Consumer<Observations> change) {
        try {
            Observations copy = new Observations(null);
            for (Field field : FIELDS.values()) {
                field.set(copy, field.get(observations));
            }
            change.accept(copy);
            return new Knowledge(copy);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the acknowledgement that counts, if there is one: an {@code Optional}. */
    Object acknowledged() {
        return value("acknowledged");
    }

    OptionalLong renewals() {
        return (OptionalLong) value("renewals");
    }

    private Object value(String name) {
        try {
            return FIELDS.get(name).get(observations);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Field> fields() {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (Field field : Observations.class.getDeclaredFields()) {
            if (!field.isSynthetic()) {
                field.setAccessible(true);
                fields.put(field.getName(), field);
            }
        }
        if (!List.copyOf(fields.keySet()).equals(KNOWN)) {
            throw new IllegalStateException("the explorer does not know all of " + fields.keySet());
        }
        return fields;
    }
}
